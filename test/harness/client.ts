import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, getGlobalDispatcher, request, setGlobalDispatcher } from 'undici';
import { errorsBehind } from './app-errors.ts';

/** A response, with its body parsed if it is JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on arbitrary bodies.
  readonly body: any;
  readonly text: string;
}

/** Options of a request besides method and path. */
export interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly rawBody?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP client whose calls assert the expected status. */
export interface Client {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  get(path: string, status?: number, options?: CallOptions): Promise<Answer>;
  post(path: string, body: unknown, status?: number, options?: CallOptions): Promise<Answer>;
  put(path: string, body: unknown, status?: number, options?: CallOptions): Promise<Answer>;
  patch(path: string, body: unknown, status?: number, options?: CallOptions): Promise<Answer>;
  delete(path: string, status?: number, options?: CallOptions): Promise<Answer>;
  /** Sends any request without asserting the status. */
  send(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Returns a client that sends additional headers. */
  with(headers: Readonly<Record<string, string>>): Client;
}

/** Headers that `fetch` adds to a call. */
const LIKE_FETCH = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };

function toHeaders(received: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(received))
    for (const value of [values].flat()) headers.append(name, value);
  return headers;
}

/** Creates a client of the server at `url` that sends `headers` with every call. */
export function createClient(url: string, headers: Readonly<Record<string, string>> = {}): Client {
  const send = async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    const content =
      options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    // `fetch` takes three times as much processor time, which would be a fifth of a test run.
    const response = await request(url + path, {
      method,
      headers: {
        ...LIKE_FETCH,
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...options.headers,
      },
      ...(content === undefined ? {} : { body: content }),
    });
    const text = await response.body.text();
    const answered = toHeaders(response.headers);
    const isJson = answered.get('content-type')?.includes('json') === true && text !== '';
    return {
      status: response.statusCode,
      headers: answered,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
  const expecting = async (
    method: string,
    path: string,
    status: number,
    options: CallOptions,
  ): Promise<Answer> => {
    const answer = await send(method, path, options);
    assert.equal(
      answer.status,
      status,
      `${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 1000)}\n${errorsBehind(answer)}`,
    );
    return answer;
  };
  return {
    url,
    headers,
    send,
    get: (path, status = 200, options = {}) => expecting('GET', path, status, options),
    post: (path, body, status = 200, options = {}) => expecting('POST', path, status, { ...options, body }),
    put: (path, body, status = 200, options = {}) => expecting('PUT', path, status, { ...options, body }),
    patch: (path, body, status = 200, options = {}) => expecting('PATCH', path, status, { ...options, body }),
    delete: (path, status = 200, options = {}) => expecting('DELETE', path, status, options),
    with: (more) => createClient(url, { ...headers, ...more }),
  };
}

/**
 * Closes the connections that calls have left open, so that a stopping process does not wait for their idle timeout.
 */
export async function closeConnections(): Promise<void> {
  const used = getGlobalDispatcher();
  setGlobalDispatcher(new Agent());
  await used.close();
}
