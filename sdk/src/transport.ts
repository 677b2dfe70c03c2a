/** Sends requests, and repeats those that failed where that is safe. */
import { TesseraError, toTesseraError } from './errors.ts';

/** A request that is ready to be sent. */
export interface PreparedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: BodyInit | undefined;
  /** Whether the body can be sent a second time. */
  readonly isRepeatable: boolean;
  /** Sends the body, instead of `fetch`. */
  readonly send?: ((signal: AbortSignal) => Promise<Response>) | undefined;
}

/** How hard it is tried. */
export interface Effort {
  readonly fetch: typeof fetch;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Statuses of requests that the server did not carry out. */
const NOT_DONE = new Set([429, 503]);
/** Statuses by which a proxy says that it does not know. */
const UNKNOWN = new Set([502, 504]);
const FIRST_WAIT_MS = 500;
/** A server that asks for more patience is not waited for. */
const LONGEST_WAIT_MS = 60_000;

/** Sends a request and returns its response. @throws TesseraError for any status that is no success, and when there is no response. */
export async function send(request: PreparedRequest, effort: Effort): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptOnce(request, effort);
    if (outcome instanceof Response) return outcome;
    const waitMs = waitBefore(attempt, outcome);
    if (attempt >= effort.maxRetries || !mayRepeat(request, outcome) || waitMs > LONGEST_WAIT_MS)
      throw outcome;
    await sleep(waitMs, effort.signal);
  }
}

async function attemptOnce(request: PreparedRequest, effort: Effort): Promise<Response | TesseraError> {
  effort.signal?.throwIfAborted();
  const { url, method, headers, body } = request;
  // Not called as a method of `effort`: browsers refuse a `this` that is not the window.
  const call = effort.fetch;
  const timeout = new AbortController();
  // Only until the response begins: a download or a stream may take longer.
  const timer = setTimeout(() => timeout.abort(), effort.timeoutMs);
  const signal = effort.signal ? AbortSignal.any([effort.signal, timeout.signal]) : timeout.signal;
  try {
    const response = request.send
      ? await request.send(signal)
      : await call(url, { method, headers, signal, ...(body === undefined ? {} : { body }) });
    return response.ok ? response : toTesseraError(response, await response.text());
  } catch (cause) {
    effort.signal?.throwIfAborted();
    const message = timeout.signal.aborted
      ? `${url} did not respond within ${effort.timeoutMs} ms.`
      : `${url} cannot be reached. Check the address and the network.`;
    return new TesseraError({ status: 0, code: 'NO_RESPONSE', message, cause });
  } finally {
    clearTimeout(timer);
  }
}

/** A call whose outcome is unknown is repeated only if doing it twice is the same as doing it once. */
function mayRepeat({ method, headers, isRepeatable }: PreparedRequest, { status }: TesseraError): boolean {
  if (!isRepeatable) return false;
  if (NOT_DONE.has(status)) return true;
  const isSafe = method === 'GET' || method === 'PUT' || 'Idempotency-Key' in headers;
  return isSafe && (status === 0 || UNKNOWN.has(status));
}

function waitBefore(attempt: number, { retryAfter }: TesseraError): number {
  if (retryAfter !== undefined) return retryAfter * 1000;
  // Clients that failed together must not come back together.
  return FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2);
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
