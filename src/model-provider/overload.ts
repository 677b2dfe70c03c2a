/** Answers of a provider that is overloaded: a second attempt often succeeds. */

/** Too many requests, unavailable, overloaded. */
const OVERLOAD_STATUSES: readonly number[] = [429, 503, 529];
const OVERLOAD_ERRORS: readonly unknown[] = ['overloaded_error', 'rate_limit_error'];
/** The usual wait before the second attempt, in ms. */
const RETRY_MS = 500;
/** A caller is waiting: a retry after more than this time is not worth it, in ms. */
const LONGEST_RETRY_MS = 5_000;

/** True for a status of an overloaded provider. */
export function isOverload(status: number): boolean {
  return OVERLOAD_STATUSES.includes(status);
}

/** True for an error inside an answer of status 200, known by its type or its code (`429`, `"503"`). */
export function isOverloadError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { type, code } = { type: null, code: null, ...error };
  const isCode = typeof code === 'number' || typeof code === 'string';
  return OVERLOAD_ERRORS.includes(type) || (isCode && isOverload(Number(code)));
}

/** Returns the wait before the second attempt, in ms. @param retryAfter the header. */
export function retryWaitMs(retryAfter: unknown): number {
  const seconds = Number(retryAfter ?? Number.NaN);
  const waitMs = seconds >= 0 ? Math.min(seconds * 1000, LONGEST_RETRY_MS) : RETRY_MS;
  return waitMs * (0.8 + 0.4 * Math.random());
}
