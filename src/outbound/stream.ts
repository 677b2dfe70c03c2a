/**
 * An answer that is read while it arrives, as fast as whoever asked takes it: what it does not read waits at the sender. Ends
 * with the reader, with a silence that is too long, and with a time for all of it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type Agent, errors } from 'undici';
import { decodeStream } from '../http/content-coding.ts';
import type { ExchangeRequest } from './exchange.ts';
import { type SendFailure, timedOut, toSendFailure } from './send-failure.ts';

/** A call whose answer is read while it arrives. */
export interface StreamRequest extends Omit<ExchangeRequest, 'timeoutMs' | 'maxResponseBytes'> {
  /** Ends the call when it is aborted, the answer too. */
  readonly signal: AbortSignal;
  /** How long the other side may be silent: before its first byte, and between two. */
  readonly silenceMs: number;
  /** For the whole call, the answer's body included. */
  readonly timeoutMs: number;
  /** An answer that is longer is broken off. */
  readonly maxResponseBytes: number;
}

/** What is coming back, of any status. Its body may be gone through once; what breaks it off throws a BrokenStream. */
export interface StreamedAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncIterable<Buffer>;
}

/** Why an answer did not come to its end. */
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
  const inWords = (error: unknown) => new BrokenStream(failureOf(error, request), error);
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
      body: bounded(decodeStream(answer.body, codingOf(answer.headers)), maxResponseBytes, inWords),
    };
  } catch (error) {
    throw inWords(error);
  }
}

function codingOf({ 'content-encoding': coding }: IncomingHttpHeaders): string | undefined {
  return coding === undefined ? undefined : String(coding);
}

async function* bounded(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  inWords: (error: unknown) => BrokenStream,
): AsyncGenerator<Buffer> {
  let left = maxBytes;
  try {
    for await (const chunk of body) {
      left -= chunk.length;
      if (left < 0) throw new Error('The answer is longer than what is read of it.');
      yield chunk;
    }
  } catch (error) {
    throw inWords(error);
  }
}

function failureOf(error: unknown, { silenceMs, timeoutMs }: StreamRequest): SendFailure {
  const isSilence = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  if (isSilence) return { reason: 'timeout', error: `No answer for ${silenceMs / 1000} seconds.` };
  if (error instanceof Error && error.name === 'TimeoutError') return timedOut(timeoutMs);
  return toSendFailure(error, timeoutMs);
}
