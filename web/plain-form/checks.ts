import type { PlainCheck } from '../../src/features/forms/embed/plain-form/played-form.ts';

/** Dates are compared as such: years may have more than four digits. */
function comparable(value: unknown): number | string {
  const text = String(value);
  if (typeof value === 'number') return value;
  return /^\d{4,}-/.test(text) ? Date.parse(text) : text;
}

function sizeOf(value: unknown): number {
  return Array.isArray(value) || typeof value === 'string' ? value.length : 0;
}

/** To six decimals and more: 0.3 is three times 0.1. */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

/** Patterns that only the service's engine knows are left to it. */
function matches(value: unknown, source: string, ignoresCase: boolean): boolean {
  try {
    return new RegExp(source, ignoresCase ? 'i' : '').test(String(value));
  } catch {
    return true;
  }
}

function holds(check: PlainCheck, value: unknown): boolean {
  switch (check.kind) {
    case 'min':
      return comparable(value) >= comparable(check.limit);
    case 'max':
      return comparable(value) <= comparable(check.limit);
    case 'fewest':
      return sizeOf(value) >= check.limit;
    case 'most':
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
 * What is wrong with an answer, as its visitor is told.
 *
 * @param value undefined when there is no answer
 * @param isReadable whether what is typed makes a value at all
 */
export function findFaults(checks: readonly PlainCheck[], value: unknown, isReadable = true): string[] {
  const failed = checks.filter((check) => {
    if (!isReadable) return check.kind === 'readable';
    return value === undefined ? check.kind === 'required' : !holds(check, value);
  });
  return failed.map(({ message }) => message);
}
