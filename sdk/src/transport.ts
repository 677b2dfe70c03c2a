/** Sends requests, and retries failed ones that are safe to repeat. */
import { TesseraError, toTesseraError } from './errors.ts';

/** A request that is ready to be sent. */
export interface PreparedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: BodyInit | undefined;
  /** True if the body can be sent more than once. */
  readonly isRepeatable: boolean;
  /** Sends the body, instead of `fetch`. */
  readonly send?: ((signal: AbortSignal) => Promise<Response>) | undefined;
}

/** Limits of a request, and the function that sends it. */
export interface SendOptions {
  readonly fetch: typeof fetch;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Statuses of requests that the server did not process. */
const NOT_PROCESSED = new Set([429, 503]);
/** Statuses of a proxy that does not know the outcome. */
const OUTCOME_UNKNOWN = new Set([502, 504]);
const FIRST_WAIT_MS = 500;
/** A call fails without a retry if the server asks for a longer wait. */
const LONGEST_WAIT_MS = 60_000;

/** Sends a request and returns its response. @throws TesseraError for an error status, or without a response. */
export async function send(request: PreparedRequest, options: SendOptions): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptOnce(request, options);
    if (outcome instanceof Response) return outcome;
    const waitMs = retryWaitMs(attempt, outcome);
    if (attempt >= options.maxRetries || !mayRepeat(request, outcome) || waitMs > LONGEST_WAIT_MS)
      throw outcome;
    await sleep(waitMs, options.signal);
  }
}

async function attemptOnce(request: PreparedRequest, options: SendOptions): Promise<Response | TesseraError> {
  options.signal?.throwIfAborted();
  const { url, method, headers, body } = request;
  // Not called as a method of `options`: browsers require `this` to be the window.
  const fetchFunction = options.fetch;
  const timeout = new AbortController();
  // The timeout ends when the response begins: a download or a stream may take longer.
  const timer = setTimeout(() => timeout.abort(), options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal;
  try {
    const response = request.send
      ? await request.send(signal)
      : await fetchFunction(url, { method, headers, signal, ...(body === undefined ? {} : { body }) });
    return response.ok ? response : toTesseraError(response, await response.text());
  } catch (cause) {
    options.signal?.throwIfAborted();
    const message = timeout.signal.aborted
      ? `${url} did not respond within ${options.timeoutMs} ms.`
      : `${url} cannot be reached. Check the address and the network.`;
    return new TesseraError({ status: 0, code: 'NO_RESPONSE', message, cause });
  } finally {
    clearTimeout(timer);
  }
}

/** True if a failed call may be repeated. A call with an unknown outcome must be idempotent. */
function mayRepeat({ method, headers, isRepeatable }: PreparedRequest, { status }: TesseraError): boolean {
  if (!isRepeatable) return false;
  if (NOT_PROCESSED.has(status)) return true;
  const isIdempotent = method === 'GET' || method === 'PUT' || 'Idempotency-Key' in headers;
  return isIdempotent && (status === 0 || OUTCOME_UNKNOWN.has(status));
}

function retryWaitMs(attempt: number, { retryAfter }: TesseraError): number {
  if (retryAfter !== undefined) return retryAfter * 1000;
  // Clients that failed together must not retry together.
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
