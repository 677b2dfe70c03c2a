/** Charsets that a Content-Type declares. */

const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i;

/** Returns the charset that a Content-Type declares, as written; null when it declares none. */
export function charsetOf(contentType: string | undefined): string | null {
  const match = CHARSET.exec(contentType ?? '');
  return match?.[1] ?? match?.[2] ?? null;
}

/**
 * Returns the name under which a charset can be decoded (`latin1` is windows-1252, as on the web); null if it is
 * unknown.
 */
export function decodableCharset(label: string): string | null {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return null;
  }
}

const XML_DECLARATION = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/;
const DECLARATION_BYTES = 200;

/**
 * Returns the charset declared at the start of a text, by a UTF-16 byte order mark or an XML declaration; else null.
 */
export function charsetOfText(bytes: Buffer): string | null {
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe') return 'utf-16le';
  if (mark === 'feff') return 'utf-16be';
  return XML_DECLARATION.exec(bytes.toString('latin1', 0, DECLARATION_BYTES))?.[1] ?? null;
}
