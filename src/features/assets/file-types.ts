/** Detects the type of a file from its bytes alone, and if a browser could run it. */
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

/** Characters that text does not have: control characters other than those of lines, tabs and terminals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const BINARY = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

/** The media type of a file. @throws what the disk says. */
export async function typeOfFile(path: string): Promise<string> {
  const { head, isAll } = await readHead(path);
  const text = textOf(head, isAll);
  if (text !== null && SVG_ROOT.test(withoutPrologue(text))) return SVG;
  const known = await fileTypeFromBuffer(head);
  if (known !== undefined) return known.mime;
  // What tells one kind from another may stand at the end of the file.
  if (/^(?:II\*\0|MM\0\*)/.test(head.toString('latin1', 0, 4))) return 'image/tiff';
  return text === null ? 'application/octet-stream' : typeOfText(text);
}

/** True if a browser can only show a file of this type, not run it. */
export function isHarmless(mimeType: string): boolean {
  return mimeType === PLAIN_TEXT || (/^(?:image|audio|video|font)\//.test(mimeType) && mimeType !== SVG);
}

/** True for vector graphics (SVG). */
export function isDrawing(mimeType: string): boolean {
  return mimeType === SVG;
}

/** The type as browsers are told it. */
export function contentTypeOf(mimeType: string): string {
  return mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType;
}

function typeOfText(text: string): string {
  if (HTML.test(text)) return 'text/html';
  return XML.test(text) ? 'application/xml' : PLAIN_TEXT;
}

/** Passed step by step: an expression for all of it would try each comment with each end. */
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

/** The beginning of a file as UTF-8, without a byte order mark; null when it is something else. */
function textOf(head: Buffer, isAll: boolean): string | null {
  try {
    // `stream`: the end of the block may cut a character, the end of the file may not.
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
