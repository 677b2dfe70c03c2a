/** Charsets of texts: what a Content-Type or the text itself declares. */

const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,"']+))/i;

/** Returns the charset that a Content-Type declares, as written; null when it declares none. */
export function charsetOf(contentType: string | undefined): string | null {
  const match = CHARSET.exec(contentType ?? '');
  const label = (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim();
  return label === '' ? null : label;
}

/** Names that programs write and the Encoding Standard does not know. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['cp932', 'shift_jis'],
  ['cp936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
  ['latin-1', 'windows-1252'],
  ['utf_8', 'utf-8'],
  ['utf8mb4', 'utf-8'],
]);
const WINDOWS = /^(?:win|windows)[-_]?(125[0-8]|874)$/;

/**
 * Returns the name under which a charset can be decoded (`latin1` is windows-1252, as on the web); null if it is
 * unknown.
 */
export function decodableCharset(label: string): string | null {
  const name = label.trim().toLowerCase();
  try {
    return new TextDecoder(ALIASES.get(name) ?? name.replace(WINDOWS, 'windows-$1')).encoding;
  } catch {
    return null;
  }
}

/** Returns the charset that a byte order mark shows; null without one. It is more reliable than any declaration. */
export function charsetOfMark([a, b, c]: Buffer): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : null;
}

const XML_DECLARATION = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/;
const HTML_DECLARATION = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i;
const DECLARATION_BYTES = 1024;
/** Content types of HTML; a body without a type may be HTML as well. */
const HTML_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml)?\s*(?:;|$)/i;
/** Comments of HTML, also one that is cut at the end. */
const COMMENTS = /<!--.*?(?:-->|$)/gs;

/**
 * Returns the charset that XML or HTML declares at its start; else null. Texts of other types may quote HTML, so only
 * HTML is searched for `<meta>`. A declaration that can be read as ASCII is not in UTF-16, even if it says so.
 */
export function charsetOfText(bytes: Buffer, contentType = ''): string | null {
  const start = bytes.toString('latin1', 0, DECLARATION_BYTES);
  if (!/^\s*(?:\xef\xbb\xbf)?\s*</.test(start)) return null;
  const inHtml = HTML_TYPE.test(contentType) ? HTML_DECLARATION.exec(start.replace(COMMENTS, '')) : null;
  const label = (XML_DECLARATION.exec(start) ?? inHtml)?.[1];
  const charset = label === undefined ? null : decodableCharset(label);
  return charset?.startsWith('utf-16') ? null : charset;
}
