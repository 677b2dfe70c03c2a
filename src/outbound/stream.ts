/**
 * An answer that is read while it arrives, at the speed of its reader: unread data waits at the sender. It ends with
 * the reader, after too long a silence, and after a total timeout.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type Agent, errors } from 'undici';
import { decodeStream } from '../http/content-coding.ts';
import type { ExchangeRequest } from './exchange.ts';
import { type SendFailure, timedOut, toSendFailure } from './send-failure.ts';

/** A call whose answer is read while it arrives. */
export interface StreamRequest extends Omit<ExchangeRequest, 'timeoutMs' | 'maxResponseBytes'> {
  /** Aborts the call and its answer. */
  readonly signal: AbortSignal;
  /** Maximum time without data, before the first byte and between two, in ms. */
  readonly silenceMs: number;
  /** Time limit of the whole call, including the response body, in ms. */
  readonly timeoutMs: number;
  /** A longer answer is aborted. */
  readonly maxResponseBytes: number;
}

/** An answer of any status. Its body can be iterated once, and throws BrokenStream when it ends early. */
export interface StreamedAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncIterable<Buffer>;
}

/** An answer that ended early. */
export class BrokenStream extends Error {
  readonly failure: SendFailure;

  constructor(failure: SendFailure, cause: unknown) {
    super(failure.error, { cause });
    this.name = 'BrokenStream';
    this.failure = failure;
  }
}

/** Makes the call; resolves with the head of its answer. @throws BrokenStream when there is none. */
export async function openStream(agent: Agent, request: StreamRequest): Promise<StreamedAnswer> {
  const { url, method, headers, body, silenceMs, timeoutMs, maxResponseBytes } = request;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  const toBrokenStream = (error: unknown) => new BrokenStream(failureOf(error, request), error);
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers,
      body: body ?? null,
      signal,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: bounded(decodeStream(answer.body, codingOf(answer.headers)), maxResponseBytes, toBrokenStream),
    };
  } catch (error) {
    throw toBrokenStream(error);
  }
}

function codingOf({ 'content-encoding': coding }: IncomingHttpHeaders): string | undefined {
  return coding === undefined ? undefined : String(coding);
}

async function* bounded(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  toBrokenStream: (error: unknown) => BrokenStream,
): AsyncGenerator<Buffer> {
  let left = maxBytes;
  try {
    for await (const chunk of body) {
      left -= chunk.length;
      if (left < 0) throw new Error('The response exceeds the size limit.');
      yield chunk;
    }
  } catch (error) {
    throw toBrokenStream(error);
  }
}

function failureOf(error: unknown, { silenceMs, timeoutMs }: StreamRequest): SendFailure {
  const isSilence = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  if (isSilence) return { reason: 'timeout', error: `No response for ${silenceMs / 1000} seconds.` };
  if (error instanceof Error && error.name === 'TimeoutError') return timedOut(timeoutMs);
  return toSendFailure(error, timeoutMs);
}
