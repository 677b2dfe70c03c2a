/** Requests whose responses the client does not read. */
import http, { type IncomingMessage } from 'node:http';
import type { Client } from './client.ts';

interface UnreadCall {
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request on a new connection and reads only the response headers. Call `resume()` to read the rest. */
export function requestUnread(
  { url, headers }: Client,
  path: string,
  { method = 'GET', body, headers: more = {} }: UnreadCall = {},
): Promise<IncomingMessage> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = { method, headers: { ...headers, ...type, ...more }, agent: false };
    const request = http.request(`${url}${path}`, options, (answer) => {
      // These tests expect the server to close the connection.
      answer.on('error', () => {});
      resolve(answer);
    });
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Reads the rest; returns true if the server closed the connection before the end of the response. */
export async function isCutOff(answer: IncomingMessage): Promise<boolean> {
  answer.resume();
  if (!answer.closed) await new Promise((resolve) => answer.once('close', resolve));
  return !answer.complete;
}

/** Returns the unsent bytes of large responses from the metrics, which are updated every five seconds. */
export async function unsentBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^tessera_unsent_answer_bytes (\d+)$/m.exec(text)?.[1]);
}

/** Returns the responses with this status. @throws Error if one with status 429 has no Retry-After header. */
export function withStatus(answers: readonly IncomingMessage[], status: number): IncomingMessage[] {
  const found = answers.filter(({ statusCode }) => statusCode === status);
  const areComplete = status !== 429 || found.every(({ headers }) => Number(headers['retry-after']) > 0);
  if (!areComplete) throw new Error('A response with status 429 has no Retry-After header.');
  return found;
}
