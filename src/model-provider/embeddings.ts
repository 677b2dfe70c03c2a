/** The `/v1/embeddings` of a provider (docs/specification/ai.md#embeddings). */
import { setTimeout as pause } from 'node:timers/promises';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '../errors/app-error.ts';
import type { OutboundResult } from '../outbound/outbound-client.ts';
import type { Platform } from '../platform.ts';
import { LLM_PROVIDER_ERROR } from './errors.ts';
import { isOverload, retryWaitMs } from './overload.ts';
import { parseJson, REFUSALS, refusalOf } from './refusal.ts';

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const NO_VECTORS = 'The embeddings provider did not return vectors.';
const NO_VECTOR = 'The embeddings provider did not return a vector.';

const Answer = Compile(
  Type.Object({
    data: Type.Array(
      Type.Object({ index: Type.Optional(Type.Unknown()), embedding: Type.Optional(Type.Unknown()) }),
    ),
  }),
);

/** The provider refuses the texts of a call, because of one of them or their number. */
export class RejectedTexts extends Error {}

/** Some providers answer 500 to a text that is too long, or whose vector is not a number. */
const FAULT_OF_TEXT = /too (?:large|long)|context (?:length|size)|exceed|maximum|\bNaN\b|\bInf\b/i;

/**
 * Requests vectors of length 1 for these texts, in order, in one call.
 * @throws RejectedTexts; AppError LLM_PROVIDER_ERROR.
 */
export async function requestVectors(
  { config, outbound }: Pick<Platform, 'config' | 'outbound'>,
  texts: readonly string[],
): Promise<number[][]> {
  const result = await send({ config, outbound }, texts);
  if (!result.ok)
    throw new AppError(LLM_PROVIDER_ERROR, { message: `The embeddings provider failed: ${result.error}` });
  const { status, body } = result;
  if (status !== 200) {
    const message = refusalOf('embeddings', status, body, config);
    const isRefusal = REFUSALS.includes(status) || (status === 500 && FAULT_OF_TEXT.test(message));
    throw isRefusal ? new RejectedTexts(message) : new AppError(LLM_PROVIDER_ERROR, { message });
  }
  return vectorsIn(body, texts.length);
}

/** Sends the texts, a second time if the provider is overloaded. */
async function send(
  { config, outbound }: Pick<Platform, 'config' | 'outbound'>,
  texts: readonly string[],
): Promise<OutboundResult> {
  const { embeddingsBaseUrl, embeddingsApiKey, embeddingsModel } = config;
  const request = {
    url: `${embeddingsBaseUrl}/v1/embeddings`,
    isTrusted: true,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(embeddingsApiKey === null ? {} : { authorization: `Bearer ${embeddingsApiKey}` }),
    },
    body: JSON.stringify({ model: embeddingsModel, input: texts }),
    timeoutMs: config.llmTimeoutSeconds * 1000,
    maxResponseBytes: MAX_ANSWER_BYTES,
  } as const;
  const result = await outbound.send(request);
  if (!result.ok || !isOverload(result.status)) return result;
  await pause(retryWaitMs(result.headers['retry-after']));
  return outbound.send(request);
}

/** Python writes these, which are not JSON, for vectors of texts that its model cannot handle. */
const NOT_JSON = /(?<=[[,:]\s*)(?:NaN|-?Infinity)(?=\s*[,\]}])/g;

/** @throws RejectedTexts if a vector is missing or unusable; AppError LLM_PROVIDER_ERROR for something else. */
function vectorsIn(body: string, count: number): number[][] {
  const answer = parseJson(body) ?? parseJson(body.replaceAll(NOT_JSON, 'null'));
  if (!Answer.Check(answer)) throw new AppError(LLM_PROVIDER_ERROR, { message: NO_VECTORS });
  const { data } = answer;
  if (data.length !== count)
    throw new RejectedTexts(`The embeddings provider returned ${data.length} vectors for ${count} texts.`);
  // Some gateways number all vectors 0, or none, or begin with 1.
  const indexes = new Set(data.map(({ index }) => index).filter(Number.isSafeInteger));
  const inOrder = indexes.size === count ? data.toSorted((a, b) => Number(a.index) - Number(b.index)) : data;
  return inOrder.map(({ embedding }) => toLengthOne(embedding));
}

/** Smaller values do not fit into a `real`. */
const SMALLEST = 1e-30;

/** Six digits are the precision of a `real`. @throws RejectedTexts if it is not a vector. */
function toLengthOne(vector: unknown): number[] {
  if (!isVector(vector)) throw new RejectedTexts(NO_VECTOR);
  const longest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  // Divided first, as squares of large numbers are infinite.
  const length = Math.hypot(...vector.map((value) => value / longest));
  return vector.map((value) => {
    const share = longest === 0 ? 0 : value / longest / length;
    return Math.abs(share) < SMALLEST ? 0 : Number(share.toPrecision(7));
  });
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => Number.isFinite(each));
}
