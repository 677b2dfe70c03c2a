/** Retries calls of a bucket after transient errors. If they persist, the error has a Retry-After. */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../errors/app-error.ts';
import { codeOf } from '../errors/error-code.ts';
import { STORAGE_UNAVAILABLE } from '../errors/platform-errors.ts';

/** Waits between attempts, in ms, with a jitter of 50%. */
const WAITS_MS: readonly number[] = [200, 800];
const RETRY_AFTER_SECONDS = 5;
/** HTTP statuses after which the same call may succeed later. */
const TRANSIENT_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504];
const TRANSIENT_NAMES: readonly string[] = [
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
const TRANSIENT_CODES: readonly string[] = [
  ...['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOTFOUND', 'EHOSTUNREACH'],
  ...['ENETUNREACH'],
];

/** Makes a call up to three times. @throws AppError STORAGE_UNAVAILABLE if the last error is transient too. */
export async function retryTransient<T>(call: () => Promise<T>): Promise<T> {
  for (const wait of WAITS_MS) {
    try {
      return await call();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await pause(wait * (0.5 + Math.random()));
    }
  }
  return reportUnavailable(call);
}

/** Makes a call once, for calls with their own retries. @throws AppError STORAGE_UNAVAILABLE for a transient error. */
export async function reportUnavailable<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isTransient(error)) throw error;
    throw new AppError(STORAGE_UNAVAILABLE, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  }
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error);
  if (status !== null && TRANSIENT_STATUSES.includes(status)) return true;
  return TRANSIENT_NAMES.includes(error.name) || TRANSIENT_CODES.includes(codeOf(error));
}

/** Returns the HTTP status in an error of the S3 library, or null. */
function statusOf(error: Error): number | null {
  const metadata: unknown = '$metadata' in error ? error.$metadata : null;
  const isStatus = typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata;
  return isStatus && typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : null;
}
