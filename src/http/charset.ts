/** Charsets that a Content-Type declares. */

const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i;

/** The charset that a Content-Type declares, as it is written there; null when it declares none. */
export function charsetOf(contentType: string | undefined): string | null {
  const match = CHARSET.exec(contentType ?? '');
  return match?.[1] ?? match?.[2] ?? null;
}

/** The name by which a charset is decoded (`latin1` is windows-1252, as on the web); null for an unknown one. */
export function decodableCharset(label: string): string | null {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return null;
  }
}
