/**
 * Parses a report message (RFC 2045, 3462) into headers and decoded text. Reports are untrusted, so parsing is linear
 * in their size, bounded in depth, and never fails: invalid MIME is read as text.
 * docs/decisions/0014-own-bounce-parser.md explains why this is not a library.
 */

import { isUtf8 } from 'node:buffer';
import { decodeText, fromQuotedPrintable } from './encoded-words.ts';

/** A leaf part of a message; attached messages are leaves too. */
export interface MimePart {
  /** In lower case, without parameters. */
  readonly type: string;
  readonly headers: ReadonlyMap<string, string>;
  /** Decoded from its transfer encoding and charset. */
  readonly text: string;
}

/** A message: its headers and its leaf parts in order. */
export interface ParsedMessage {
  /** Unfolded values by lower-case name; the first of repeated fields. */
  readonly headers: ReadonlyMap<string, string>;
  readonly parts: readonly MimePart[];
}

/** Limits: nesting depth, and parts per message and per multipart. */
const MAX_DEPTH = 5;
const MAX_PARTS = 100;
const MAX_HEADER_BYTES = 64 * 1024;
/** Escape sequence of ISO-2022-JP. Japanese servers use the charset in status parts, which cannot name one. */
const ISO_2022_JP = new RegExp(`${String.fromCharCode(27)}\\$[@B]`);

/** Parses a message. A truncated message yields the parts it contains. */
export function parseMessage(raw: Buffer): ParsedMessage {
  const text = raw.toString('latin1');
  const { headers, body } = splitHeaders(text);
  const parts: MimePart[] = [];
  collectParts({ headers, body }, parts, 0);
  return { headers, parts };
}

/** Parses a block of header fields, as in delivery-status parts and attached messages. */
export function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name !== '' && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

interface Entity {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

function collectParts({ headers, body }: Entity, parts: MimePart[], depth: number): void {
  if (parts.length >= MAX_PARTS) return;
  const contentType = headers.get('content-type') ?? 'text/plain';
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const boundary = type.startsWith('multipart/') ? boundaryOf(contentType) : null;
  if (boundary !== null && depth < MAX_DEPTH) {
    const inner = splitBody(body, boundary);
    for (const part of inner) collectParts(splitHeaders(part), parts, depth + 1);
    if (inner.length > 0) return;
  }
  const encoding = headers.get('content-transfer-encoding') ?? '';
  // Without its boundary lines a multipart is read as text.
  parts.push({
    type: type.startsWith('multipart/') ? 'text/plain' : type,
    headers,
    text: decode(body, encoding, charsetOf(contentType)),
  });
}

function splitHeaders(text: string): Entity {
  const match = /^\r?\n|\r?\n\r?\n/.exec(text.slice(0, MAX_HEADER_BYTES));
  const end = match?.index ?? Math.min(text.length, MAX_HEADER_BYTES);
  return {
    headers: parseFields(fieldsText(text.slice(0, end))),
    body: text.slice(end + (match?.[0].length ?? 0)),
  };
}

/** Decodes a header: UTF-8 (RFC 6532), otherwise one character per byte. */
function fieldsText(head: string): string {
  const bytes = Buffer.from(head, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : head;
}

function boundaryOf(contentType: string): string | null {
  const match = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType);
  return match?.[1] ?? match?.[2] ?? null;
}

/** Splits a body at its boundary lines; the closing boundary may be missing. */
function splitBody(body: string, boundary: string): string[] {
  const parts: string[] = [];
  let start = -1;
  for (const line of body.matchAll(new RegExp(`^--${RegExp.escape(boundary)}(--)?[ \\t\\r]*$`, 'gm'))) {
    if (start >= 0) parts.push(body.slice(start, line.index - 1));
    if (parts.length === MAX_PARTS) return parts;
    start = line[1] === undefined ? line.index + line[0].length + 1 : -1;
  }
  if (start >= 0) parts.push(body.slice(start));
  return parts;
}

function decode(body: string, encoding: string, charset: string): string {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return decodeText(Buffer.from(body, 'base64'), charset);
    case 'quoted-printable':
      return decodeText(fromQuotedPrintable(body), charset);
    default:
      return decodeText(Buffer.from(body, 'latin1'), ISO_2022_JP.test(body) ? 'iso-2022-jp' : charset);
  }
}

function charsetOf(contentType: string): string {
  const match = /;\s*charset\s*=\s*(?:"([^"]{1,40})"|([^\s;"]{1,40}))/i.exec(contentType);
  return match?.[1] ?? match?.[2] ?? 'utf-8';
}
