import type { PlainCheck } from '../../src/features/forms/embed/plain-form/script-form.ts';

/** Converts dates to numbers, as years may have more than four digits. */
function comparable(value: unknown): number | string {
  const text = String(value);
  if (typeof value === 'number') return value;
  return /^\d{4,}-/.test(text) ? Date.parse(text) : text;
}

function sizeOf(value: unknown): number {
  return Array.isArray(value) || typeof value === 'string' ? value.length : 0;
}

/** Allows for rounding errors: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

/** Accepts patterns that the browser does not support; the service checks them. */
function matches(value: unknown, source: string, ignoresCase: boolean): boolean {
  try {
    return new RegExp(source, ignoresCase ? 'i' : '').test(String(value));
  } catch {
    return true;
  }
}

function isMet(check: PlainCheck, value: unknown): boolean {
  switch (check.kind) {
    case 'min':
      return comparable(value) >= comparable(check.limit);
    case 'max':
      return comparable(value) <= comparable(check.limit);
    case 'minLength':
      return sizeOf(value) >= check.limit;
    case 'maxLength':
      return sizeOf(value) <= check.limit;
    case 'step':
      return isMultiple(Number(value), check.limit);
    case 'pattern':
      return matches(value, check.source, check.ignoresCase);
    default:
      return true;
  }
}

/**
 * Returns the error messages of an answer.
 *
 * @param value undefined if there is no answer
 * @param isValid false if the input is not a valid value, such as an incomplete date
 */
export function findFaults(checks: readonly PlainCheck[], value: unknown, isValid = true): string[] {
  const failed = checks.filter((check) => {
    if (!isValid) return check.kind === 'valid';
    return value === undefined ? check.kind === 'required' : !isMet(check, value);
  });
  return failed.map(({ message }) => message);
}
