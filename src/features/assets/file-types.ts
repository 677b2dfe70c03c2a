/** Detects the type of a file from its bytes, and whether a browser could run it as active content. */
import { open } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';

/** Bytes that are inspected. Formats are recognized by their first bytes. */
const HEAD_BYTES = 64 * 1024;

const SVG = 'image/svg+xml';
const PLAIN_TEXT = 'text/plain';

/** Patterns by which browsers detect undeclared HTML (WHATWG MIME Sniffing, section 7.1) and XML. */
const HTML =
  /^\s*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)(?:[\s>]|$)/i;
const XML = /^\s*<\?xml[\s?]/i;
const SVG_ROOT = /^<(?:[\w.-]+:)?svg[\s>/]/i;
/** Start and end of each construct that may precede the root element. */
const PROLOGUE = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!doctype', '>'],
] as const;

/** Characters that never occur in text: control characters other than line breaks, tabs and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression detects control characters.
const BINARY = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

/** Returns the media type of a file. @throws file system errors. */
export async function typeOfFile(path: string): Promise<string> {
  const { head, isAll } = await readHead(path);
  const text = textOf(head, isAll);
  if (text !== null && SVG_ROOT.test(withoutPrologue(text))) return SVG;
  const known = await fileTypeFromBuffer(head);
  if (known !== undefined) return known.mime;
  // `file-type` may need the end of a TIFF file, which is not in the head, to recognize its kind.
  if (/^(?:II\*\0|MM\0\*)/.test(head.toString('latin1', 0, 4))) return 'image/tiff';
  return text === null ? 'application/octet-stream' : typeOfText(text);
}

/** True if a browser cannot run files of this type as active content. */
export function isPassive(mimeType: string): boolean {
  return mimeType === PLAIN_TEXT || (/^(?:image|audio|video|font)\//.test(mimeType) && mimeType !== SVG);
}

/** True for vector graphics (SVG). */
export function isVectorImage(mimeType: string): boolean {
  return mimeType === SVG;
}

/** Returns the Content-Type header of a media type. */
export function contentTypeOf(mimeType: string): string {
  return mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType;
}

function typeOfText(text: string): string {
  if (HTML.test(text)) return 'text/html';
  return XML.test(text) ? 'application/xml' : PLAIN_TEXT;
}

/** Returns the text from the root element on. A single regular expression would backtrack over comments. */
function withoutPrologue(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const found = PROLOGUE.find(([begin]) => rest.slice(0, begin.length).toLowerCase() === begin);
    if (found === undefined) return rest;
    const [begin, end] = found;
    const subset = begin === '<!doctype' && /^[^>[]*\[/.test(rest) ? rest.indexOf(']') : 0;
    const at = rest.indexOf(end, Math.max(subset, begin.length));
    if (at < 0 || subset < 0) return '';
    rest = rest.slice(at + end.length).trimStart();
  }
}

/** Decodes the beginning of a file as UTF-8, without a byte order mark; null if it is not text. */
function textOf(head: Buffer, isAll: boolean): string | null {
  try {
    // `stream` allows an incomplete character at the end of the block, unless the block is the whole file.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isAll });
    return BINARY.test(text) ? null : text;
  } catch {
    return null;
  }
}

async function readHead(path: string): Promise<{ head: Buffer; isAll: boolean }> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    return { head: head.subarray(0, bytesRead), isAll: bytesRead < HEAD_BYTES };
  } finally {
    await file.close();
  }
}
