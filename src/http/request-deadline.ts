/** The time that one request may spend on slow work: rendering, simulations and dry runs. */
import { AppError } from '../errors/app-error.ts';
import { TIMEOUT } from '../errors/platform-errors.ts';
import type { RequestContext } from './context.ts';

/** How long such a request may take, in ms. */
export const REQUEST_MS = 20_000;
/** How often a caller may request such work per minute, by route. */
export const RENDERINGS_PER_MINUTE = 120;
/** Seconds after which a caller may retry a request that took too long. */
const RETRY_SECONDS = 10;

/** A signal that aborts when the client disconnects, and after `REQUEST_MS` at the latest. */
export function requestDeadline(ctx: Pick<RequestContext, 'disconnectSignal'>): AbortSignal {
  return AbortSignal.any([ctx.disconnectSignal(), AbortSignal.timeout(REQUEST_MS)]);
}

/** Ends the work of a request whose deadline has passed. @throws AppError TIMEOUT. */
export function requireTime(deadline: AbortSignal | undefined): void {
  if (deadline?.aborted) throw requestTimeout();
}

/** The error of a request that took too long. */
export function requestTimeout(): AppError {
  return new AppError(TIMEOUT, {
    message: `The request took longer than ${REQUEST_MS / 1000} s. Request less at once, or try again later.`,
    retryAfterSeconds: RETRY_SECONDS,
  });
}
