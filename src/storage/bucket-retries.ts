/** Calls of a bucket that is overloaded for a moment: repeated, and refused with Retry-After when that does not help. */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../errors/app-error.ts';
import { codeOf } from '../errors/error-code.ts';
import { STORAGE_UNAVAILABLE } from '../errors/platform-errors.ts';

/** The waits between the tries, ms; each is spread by a half. */
const WAITS_MS: readonly number[] = [200, 800];
const TRY_AGAIN_SECONDS = 5;
/** By which services say that the same call may succeed later. */
const PASSING_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504];
const PASSING_NAMES: readonly string[] = [
  ...['SlowDown', 'ServiceUnavailable', 'Throttling', 'ThrottlingException', 'TooManyRequests'],
  ...[
    'RequestLimitExceeded',
    'RequestTimeout',
    'RequestThrottled',
    'InternalError',
    'BandwidthLimitExceeded',
  ],
  ...['TimeoutError'],
];
const PASSING_CODES: readonly string[] = [
  ...['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOTFOUND', 'EHOSTUNREACH'],
  ...['ENETUNREACH'],
];

/** Makes a call up to three times. @throws AppError STORAGE_UNAVAILABLE when the bucket stays overloaded or away. */
export async function retryPassing<T>(call: () => Promise<T>): Promise<T> {
  for (const wait of WAITS_MS) {
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await pause(wait * (0.5 + Math.random()));
    }
  }
  return refusePassing(call);
}

/** Makes a call that repeats itself. @throws AppError STORAGE_UNAVAILABLE when the bucket stays overloaded or away. */
export async function refusePassing<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isPassing(error)) throw error;
    throw new AppError(STORAGE_UNAVAILABLE, { retryAfterSeconds: TRY_AGAIN_SECONDS, cause: error });
  }
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error);
  if (status !== null && PASSING_STATUSES.includes(status)) return true;
  return PASSING_NAMES.includes(error.name) || PASSING_CODES.includes(codeOf(error));
}

/** The status of the answer by which the library of the bucket makes an error. */
function statusOf(error: Error): number | null {
  const metadata: unknown = '$metadata' in error ? error.$metadata : null;
  const isStatus = typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata;
  return isStatus && typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : null;
}
