/**
 * One HTTP exchange through undici's dispatcher. It runs for each delivery, so there is no stream and no signal between
 * the parser and the result.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';

/** An HTTP request. */
export interface ExchangeRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** Time limit of the whole exchange, including the response body. */
  readonly timeoutMs: number;
  /** Maximum number of bytes that are read of the response body; the connection is closed after them. */
  readonly maxResponseBytes: number;
}

/** An HTTP response of any status. */
export interface ExchangeResponse {
  readonly status: number;
  /** Names in lower case; repeated headers are joined by a comma. */
  readonly headers: Record<string, string>;
  readonly bytes: Buffer;
  /** True if there was more than `maxResponseBytes`. */
  readonly isCut: boolean;
}

/** Error: the time limit was reached before the response was complete. */
export class ExchangeTimeout extends Error {}

/**
 * Runs the exchange.
 * @throws ExchangeTimeout, or the error of undici or the socket.
 */
export function exchange(agent: Agent, request: ExchangeRequest): Promise<ExchangeResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ExchangeResponse>();
  const reader = new ResponseReader(request.maxResponseBytes, resolve, reject);
  // Without a connection there is nothing to abort yet; the request is then aborted as soon as it gets one.
  const timer = setTimeout(() => reader.abort(new ExchangeTimeout()), request.timeoutMs);
  try {
    agent.dispatch(
      {
        origin: request.url.origin,
        path: `${request.url.pathname}${request.url.search}`,
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
      },
      reader,
    );
  } catch (error) {
    reject(error);
  }
  return promise.finally(() => clearTimeout(timer));
}

/** Collects the response of one exchange. */
class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #resolve: (exchanged: ExchangeResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #left: number;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | null = null;
  #abortedWith: Error | null = null;

  constructor(
    maxBytes: number,
    resolve: (exchanged: ExchangeResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.#left = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Ends the exchange with this error, and its connection. */
  abort(error: Error): void {
    this.#abortedWith = error;
    this.#reject(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#abortedWith !== null) controller.abort(this.#abortedWith);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Also called for interim responses, such as 103; the final one comes last.
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // undici passes on what it has read already; ignore it.
    if (this.#left < 0) return;
    this.#chunks.push(chunk.subarray(0, this.#left));
    this.#left -= chunk.length;
    if (this.#left >= 0) return;
    this.#finish(true);
    controller.abort(new Error('The response exceeds the size limit.'));
  }

  onResponseEnd(): void {
    this.#finish(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
  }

  #finish(isCut: boolean): void {
    const headers = flatHeaders(this.#headers);
    const [first = Buffer.alloc(0)] = this.#chunks;
    const bytes = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first;
    this.#resolve({ status: this.#status, headers, bytes, isCut });
  }
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = String(value);
  }
  return flat;
}
