/** Bounds, both inclusive; undefined is none. */
export interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** One text. */
const MAX_TEXT_CHARS = 100_000;

/** Says that there are too few or too many of something, or null. */
export function findCountFault(count: number, { min, max }: Bounds, noun: string): string | null {
  if (min !== undefined && count < min) return `must have at least ${min} ${noun}`;
  return max !== undefined && count > max ? `must have at most ${max} ${noun}` : null;
}

/** Says that a text is longer than `limit`, which is undefined where a form sets none, or than any text may be. */
export function findLengthFault(value: unknown, limit?: number): string | null {
  const max = Math.min(limit ?? MAX_TEXT_CHARS, MAX_TEXT_CHARS);
  return findCountFault(String(value).length, { max }, 'characters');
}
