/**
 * The provider's `/v1/messages` (docs/specification/ai.md#replies). The protocol is one request and a few events. The
 * vendor's client library is not used: address rules, limits, deadlines and cancelling are those of every outbound
 * call.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../errors/app-error.ts';
import { BrokenStream, type StreamedAnswer } from '../outbound/stream.ts';
import type { Platform } from '../platform.ts';
import { AnswerAssembly, MalformedAnswer, type ModelAnswer, readEvent, readWhole } from './answer.ts';
import { LLM_NOT_CONFIGURED, LLM_PROVIDER_ERROR } from './errors.ts';
import { isOverload, isOverloadError, retryWaitMs } from './overload.ts';
import { waitForProvider } from './provider-turns.ts';
import { messageIn, type ProviderKeys, parseJson, refusalOf, shorten } from './refusal.ts';
import { readEvents, sniffEvents } from './server-events.ts';

const API_VERSION = '2023-06-01';
/** Time limit of a whole answer, as a multiple of the longest silence. */
const TOTAL_TIME_FACTOR = 10;
/** Maximum sizes of an answer and of the body of a refusal, in bytes. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 64 * 1024;
/** Longest error message, in characters. */
const MAX_MESSAGE_CHARS = 1000;

/** A request to a model. */
export interface ModelQuestion {
  /** The model's name as assistants use it. */
  readonly model: string;
  readonly max_tokens: number;
  readonly temperature: number;
  readonly system?: string;
  readonly messages: readonly { readonly role: string; readonly content: readonly object[] }[];
  readonly tools?: readonly object[];
}

/** A part of the result: texts as they arrive, and at the end the whole answer. */
export type AnswerPart = { readonly text: string } | { readonly answer: ModelAnswer };

/** Options of a request. */
export interface AskOptions {
  /** The tenant whose slot the call uses. */
  readonly tenantId: string;
  /** True if texts are needed as they arrive. */
  readonly isStreamed: boolean;
  /** Cancels the call when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** The provider is overloaded. */
class Overload extends Error {
  readonly waitMs: number;

  constructor(message: string, waitMs = retryWaitMs(undefined)) {
    super(message);
    this.waitMs = waitMs;
  }
}

/** @throws AppError LLM_NOT_CONFIGURED unless there is a provider. */
export function requireProvider({ config }: Pick<Platform, 'config'>): void {
  if (config.llmBaseUrl === null) throw new AppError(LLM_NOT_CONFIGURED);
}

/**
 * Asks the provider, a second time if it is overloaded and has not begun to answer.
 * @throws AppError LLM_NOT_CONFIGURED, or LLM_PROVIDER_ERROR with the reason.
 */
export async function* askModel(
  platform: Platform,
  question: ModelQuestion,
  options: AskOptions,
): AsyncGenerator<AnswerPart> {
  requireProvider(platform);
  const release = await waitForProvider(platform, options.tenantId);
  try {
    yield* askWithRetry(platform, question, options);
  } finally {
    release();
  }
}

async function* askWithRetry(
  platform: Platform,
  question: ModelQuestion,
  options: AskOptions,
): AsyncGenerator<AnswerPart> {
  let hasBegun = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      for await (const part of attemptOnce(platform, question, options)) {
        hasBegun = true;
        yield part;
      }
      return;
    } catch (error) {
      if (!(error instanceof Overload) || attempt > 1 || hasBegun) throw toAppError(error, platform);
      await pause(error.waitMs, undefined, { signal: options.signal });
    }
  }
}

async function* attemptOnce(
  { config, outbound }: Platform,
  question: ModelQuestion,
  { isStreamed, signal }: AskOptions,
): AsyncGenerator<AnswerPart> {
  const silenceMs = config.llmTimeoutSeconds * 1000;
  const answer = await outbound.stream({
    url: `${config.llmBaseUrl}/v1/messages`,
    isTrusted: true,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: isStreamed ? 'text/event-stream' : 'application/json',
      'anthropic-version': API_VERSION,
      ...(config.llmApiKey === null ? {} : { 'x-api-key': config.llmApiKey }),
    },
    body: JSON.stringify({
      ...question,
      model: config.llmModels?.get(question.model) ?? question.model,
      ...(isStreamed ? { stream: true } : {}),
    }),
    signal,
    silenceMs,
    timeoutMs: silenceMs * TOTAL_TIME_FACTOR,
    maxResponseBytes: MAX_ANSWER_BYTES,
  });
  if (answer.status !== 200) throw await refusal(answer, config);
  // Some providers do not stream, and some stream without the content type of events.
  const { isEvents, body } = await sniffEvents(answer.body, String(answer.headers['content-type']));
  if (isEvents) yield* readStream(body, signal);
  else yield* readAtOnce(await readText(body, MAX_ANSWER_BYTES));
}

function* readAtOnce(body: string): Generator<AnswerPart> {
  const reply = parseJson(body);
  if (typeof reply === 'object' && reply !== null && 'error' in reply && reply.error) throw errorIn(reply);
  const answer = readWhole(body);
  for (const block of answer.content) if (block.type === 'text') yield { text: block.text };
  yield { answer };
}

/** Not an event of the Messages API, but gateways send it at the end of every stream. */
const DONE = '[DONE]';

async function* readStream(body: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<AnswerPart> {
  const assembly = new AnswerAssembly();
  try {
    for await (const data of readEvents(body)) {
      if (data.trim() === DONE) {
        assembly.end();
        break;
      }
      const event = readEvent(data);
      if (event.type === 'error' || (!event.type && event.error)) throw errorIn(event);
      const text = assembly.add(event);
      if (text !== '') yield { text };
      if (event.type === 'message_stop') break;
    }
  } catch (error) {
    // What goes wrong after the end of an answer does not change it.
    if (!assembly.isComplete || signal.aborted) throw error;
  }
  yield { answer: assembly.finish() };
}

/** Returns the error that a provider sends with status 200. */
function errorIn(reply: object & { readonly error?: unknown }): Overload | MalformedAnswer {
  const message = messageIn(reply) ?? 'It failed.';
  return isOverloadError(reply.error)
    ? new Overload(`The model provider failed. ${message}`)
    : new MalformedAnswer(message);
}

async function refusal({ status, headers, body }: StreamedAnswer, keys: ProviderKeys): Promise<Error> {
  const message = refusalOf('model', status, await readText(body, MAX_REFUSAL_BYTES), keys);
  if (!isOverload(status)) return new AppError(LLM_PROVIDER_ERROR, { message });
  return new Overload(message, retryWaitMs(headers['retry-after']));
}

/** Reads at most `maxBytes` of a body. */
async function readText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let left = maxBytes;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Converts an error to one whose message may be shown. */
function toAppError(error: unknown, { config }: Platform): unknown {
  const isProviders =
    error instanceof BrokenStream || error instanceof MalformedAnswer || error instanceof Overload;
  if (error instanceof AppError || isProviders) {
    const prefix =
      error instanceof AppError || error instanceof Overload ? '' : 'The model provider failed. ';
    const message = shorten(`${prefix}${error.message}`, config, MAX_MESSAGE_CHARS);
    return new AppError(LLM_PROVIDER_ERROR, { message });
  }
  return error;
}
