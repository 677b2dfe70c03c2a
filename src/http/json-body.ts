/**
 * Reading JSON so that nothing dangerous or silently altered reaches a use case: broken UTF-8, U+0000 and
 * unpaired surrogates (PostgreSQL text cannot hold them, decisions section 4), prototype keys and absurd depth.
 */
import { AppError, type ErrorDefinition, type Issue } from '../errors/app-error.ts';
import { INVALID_REQUEST, invalidRequest } from '../errors/platform-errors.ts';

/** The largest body that is read, in bytes (decisions section 4). */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Deeper JSON than this serves no form or document and would exhaust the stack of whoever walks it. */
const MAX_DEPTH = 100;

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
  const fault = findFault(value, '', 1);
  if (fault !== null) throw new AppError(invalid, { issues: [fault] });
  return value;
}

/** Refuses text that PostgreSQL cannot hold; `field` names it in the error. @throws AppError INVALID_REQUEST. */
export function checkText(text: string, field: string): void {
  const fault = findTextFault(text, field);
  if (fault !== null) throw invalidRequest([fault]);
}

function findTextFault(text: string, field: string): Issue | null {
  if (text.includes('\u0000')) return issueAt(field, 'must not contain the character U+0000');
  if (!text.isWellFormed()) return issueAt(field, 'must not contain an unpaired surrogate');
  return null;
}

function findFault(value: unknown, path: string, depth: number): Issue | null {
  if (typeof value === 'string') return findTextFault(value, path);
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return { message: `The body is nested deeper than ${MAX_DEPTH} levels.` };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const fault = findFault(value[index], `${path}[${index}]`, depth + 1);
      if (fault !== null) return fault;
    }
    return null;
  }
  for (const [key, member] of Object.entries(value)) {
    const fault =
      findTextFault(key, path) ??
      (key === '__proto__' ? issueAt(path, 'must not have a key "__proto__"') : null) ??
      findFault(member, path === '' ? key : `${path}.${key}`, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

/** The body itself has no path. */
function issueAt(field: string, message: string): Issue {
  return field === '' ? { message: `The body ${message}.` } : { field, message };
}
