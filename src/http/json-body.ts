/**
 * Reading JSON so that nothing dangerous or silently altered reaches a use case: broken UTF-8, U+0000 and
 * unpaired surrogates (PostgreSQL text cannot hold them, docs/specification/conventions.md#bodies), prototype
 * keys and absurd depth.
 */
import { AppError, type ErrorDefinition, fieldAt, type Issue } from '../errors/app-error.ts';
import { INVALID_REQUEST, invalidRequest } from '../errors/platform-errors.ts';

/** The largest body that is read, in bytes (docs/specification/conventions.md#bodies). */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Deeper JSON than this serves no form or document and would exhaust the stack of whoever walks it. */
const MAX_DEPTH = 100;
const TOO_DEEP = `The body is nested deeper than ${MAX_DEPTH} levels.`;
const NO_PROTO = 'must not have a key "__proto__"';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body; an empty one is undefined.
 * @throws AppError `invalid` naming what is wrong, and where.
 */
export function parseJsonBody(bytes: Buffer, invalid: ErrorDefinition = INVALID_REQUEST): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const message =
      error instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.';
    throw new AppError(invalid, { issues: [{ message }] });
  }
  const fault = findFault(value, 1);
  if (fault !== null) throw new AppError(invalid, { issues: [toIssue(fault)] });
  return value;
}

/** Refuses text that PostgreSQL cannot hold; `field` names it in the error. @throws AppError INVALID_REQUEST. */
export function checkText(text: string, field: string): void {
  const fault = findTextFault(text);
  if (fault !== null) throw invalidRequest([{ field, message: fault.message }]);
}

/** What is wrong, and where: keys and indexes from the inside out. */
interface Fault {
  readonly message: string;
  readonly path: (string | number)[];
}

function findTextFault(text: string): Fault | null {
  if (text.includes('\u0000')) return { message: 'must not contain the character U+0000', path: [] };
  if (!text.isWellFormed()) return { message: 'must not contain an unpaired surrogate', path: [] };
  return null;
}

/** Places are written down only on the way back from a fault: most of a large body has none. */
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
  for (const [key, member] of Object.entries(value)) {
    const fault = key === '__proto__' ? { message: NO_PROTO, path: [] } : findTextFault(key);
    if (fault !== null) return fault;
    const inside = findFault(member, depth + 1);
    if (inside !== null) return within(key, inside);
  }
  return null;
}

function within(step: string | number, fault: Fault): Fault {
  fault.path.push(step);
  return fault;
}

/** The body itself has no path, and its depth is a matter of the whole. */
function toIssue({ message, path }: Fault): Issue {
  if (message === TOO_DEEP) return { message };
  const field = fieldAt(path.reverse());
  return field === '' ? { message: `The body ${message}.` } : { field, message };
}
