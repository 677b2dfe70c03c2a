/**
 * Parses JSON so that nothing dangerous or silently altered reaches a use case: invalid UTF-8, U+0000 and unpaired
 * surrogates (PostgreSQL text cannot store them, docs/specification/conventions.md#bodies), prototype keys and
 * excessive depth.
 */
import { isUtf8 } from 'node:buffer';
import { parseWritten } from '../db/written-json.ts';
import { AppError, type ErrorDefinition, fieldAt, type Issue } from '../errors/app-error.ts';
import { INVALID_REQUEST, invalidRequest } from '../errors/platform-errors.ts';
import { charsetOf, charsetOfMark, decodableCharset } from './charset.ts';

/** The content type of a PATCH body besides JSON (RFC 7396). */
export const MERGE_PATCH = 'application/merge-patch+json';

/** Deeper JSON is of no use for any form or document and could exhaust the stack of recursive code. */
const MAX_DEPTH = 100;
const TOO_DEEP = `The body is nested deeper than ${MAX_DEPTH} levels.`;
/**
 * Parsing time depends on the number of values: 10 MiB of them block the process for two seconds, this many for half a
 * second. The largest transmission has 100 for each of its recipients.
 */
const MAX_VALUES = 500_000;
const TOO_MANY = `The body has more than ${MAX_VALUES} values.`;
const NO_PROTO = 'must not have a key "__proto__"';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body; an empty one is undefined. JSON must be UTF-8; other bytes are decoded by the declared charset.
 * @throws AppError `invalid` naming the fault and its place.
 */
export function parseJsonBody(
  body: Buffer,
  invalid: ErrorDefinition = INVALID_REQUEST,
  contentType = '',
): unknown {
  if (body.length === 0) return undefined;
  const bytes = toUtf8(body, contentType, invalid);
  const { values, depth } = measure(bytes);
  if (values > MAX_VALUES) throw new AppError(invalid, { issues: [{ message: TOO_MANY }] });
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = parseWritten(text);
  } catch (error) {
    const message =
      error instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.';
    throw new AppError(invalid, { issues: [{ message }] });
  }
  const fault = depth > MAX_DEPTH || MAY_BE_FAULTY.test(text) ? findFault(value, 1) : null;
  if (fault !== null) throw new AppError(invalid, { issues: [toIssue(fault)] });
  return value;
}

/** Many senders declare an old charset but send UTF-8: valid UTF-8 is read as such. */
function toUtf8(bytes: Buffer, contentType: string, invalid: ErrorDefinition): Buffer {
  const declared = decodableCharset(charsetOf(contentType) ?? 'utf-8') ?? 'utf-8';
  // Without a declaration, JSON is UTF-8 (RFC 8259, section 8.1).
  const charset = declared.startsWith('utf-16') ? (charsetOfMark(bytes) ?? declared) : declared;
  if (charset === 'utf-8' || (isUtf8(bytes) && !charset.startsWith('utf-16'))) return bytes;
  try {
    return Buffer.from(new TextDecoder(charset, { fatal: true }).decode(bytes));
  } catch {
    const message = `The body is not valid ${charset.toUpperCase()}.`;
    throw new AppError(invalid, { issues: [{ message }] });
  }
}

/** UTF-8 contains neither U+0000 nor surrogates unescaped: only escapes and prototype keys need a check. */
const MAY_BE_FAULTY = /\\u|__proto__/;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Counts the values and the depth of JSON, without parsing its strings. */
function measure(bytes: Buffer): { readonly values: number; readonly depth: number } {
  let values = 1;
  let level = 0;
  let depth = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) index = endOfText(bytes, index);
    else if (byte === COMMA) values += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) level -= 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      values += 1;
      level += 1;
      if (level > depth) depth = level;
    }
  }
  return { values, depth };
}

/** Returns the index of the quote that ends the string beginning at `start`, or the end of the bytes. */
function endOfText(bytes: Buffer, start: number): number {
  let end = start;
  let backslashes: number;
  do {
    end = bytes.indexOf(QUOTE, end + 1);
    if (end === -1) return bytes.length;
    backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
  } while (backslashes % 2 === 1);
  return end;
}

/** Refuses text that PostgreSQL cannot hold; `field` names it in the error. @throws AppError INVALID_REQUEST. */
export function checkText(text: string, field: string): void {
  const fault = findTextFault(text);
  if (fault !== null) throw invalidRequest([{ field, message: fault.message }]);
}

/** A fault and its path, keys and indexes from the inside out. */
interface Fault {
  readonly message: string;
  readonly path: (string | number)[];
}

function findTextFault(text: string): Fault | null {
  if (text.includes('\u0000')) return { message: 'must not contain the character U+0000', path: [] };
  if (!text.isWellFormed()) return { message: 'must not contain an unpaired surrogate', path: [] };
  return null;
}

/** Builds the path only on the way back from a fault, as most large bodies have none. */
function findFault(value: unknown, depth: number): Fault | null {
  if (typeof value === 'string') return findTextFault(value);
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return { message: TOO_DEEP, path: [] };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const fault = findFault(value[index], depth + 1);
      if (fault !== null) return within(index, fault);
    }
    return null;
  }
  // Object.entries takes three times as long for an object with many members.
  for (const key of Object.keys(value)) {
    const fault = key === '__proto__' ? { message: NO_PROTO, path: [] } : findTextFault(key);
    if (fault !== null) return fault;
    const inside = findFault(Reflect.get(value, key), depth + 1);
    if (inside !== null) return within(key, inside);
  }
  return null;
}

function within(step: string | number, fault: Fault): Fault {
  fault.path.push(step);
  return fault;
}

/** A fault of the body itself has no path; its depth concerns the whole body. */
function toIssue({ message, path }: Fault): Issue {
  if (message === TOO_DEEP) return { message };
  const field = fieldAt(path.reverse());
  return field === '' ? { message: `The body ${message}.` } : { field, message };
}
