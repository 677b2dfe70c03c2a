/** The `/v1/embeddings` of a provider (docs/specification/ai.md#embeddings). */
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '../errors/app-error.ts';
import type { Platform } from '../platform.ts';
import { LLM_PROVIDER_ERROR } from './errors.ts';
import { parseJson, refusalOf } from './refusal.ts';

const MAX_ANSWER = 64 * 1024 * 1024;
const NO_VECTORS = 'The embeddings provider answered something else than vectors.';

const Answer = Compile(
  Type.Object({
    data: Type.Array(
      Type.Object({ index: Type.Integer(), embedding: Type.Array(Type.Number(), { minItems: 1 }) }),
    ),
  }),
);

/** The provider refuses the texts of a call, because of one of them or their number. */
export class RefusedTexts extends Error {}

/** Statuses with which providers refuse their input. */
const REFUSALS: readonly number[] = [400, 413, 422];
/** Some providers answer 500 to a text that is too long. */
const TOO_LONG = /too (?:large|long)|context (?:length|size)|exceed|maximum/i;

/**
 * Requests vectors of length 1 for these texts, in order, in one call.
 * @throws RefusedTexts; AppError LLM_PROVIDER_ERROR.
 */
export async function requestVectors(
  { config, outbound }: Pick<Platform, 'config' | 'outbound'>,
  texts: readonly string[],
): Promise<number[][]> {
  const { embeddingsBaseUrl, embeddingsApiKey, embeddingsModel } = config;
  const result = await outbound.send({
    url: `${embeddingsBaseUrl}/v1/embeddings`,
    isTrusted: true,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(embeddingsApiKey === null ? {} : { authorization: `Bearer ${embeddingsApiKey}` }),
    },
    body: JSON.stringify({ model: embeddingsModel, input: texts }),
    timeoutMs: config.llmTimeoutSeconds * 1000,
    maxResponseBytes: MAX_ANSWER,
  });
  if (!result.ok)
    throw new AppError(LLM_PROVIDER_ERROR, { message: `The embeddings provider failed: ${result.error}` });
  const { status, body } = result;
  if (status !== 200) {
    const message = refusalOf('embeddings', status, body, config);
    const isRefusal = REFUSALS.includes(status) || (status === 500 && TOO_LONG.test(message));
    throw isRefusal ? new RefusedTexts(message) : new AppError(LLM_PROVIDER_ERROR, { message });
  }
  const answer = parseJson(body);
  if (!Answer.Check(answer) || answer.data.length !== texts.length)
    throw new AppError(LLM_PROVIDER_ERROR, { message: NO_VECTORS });
  const inOrder = answer.data.toSorted((a, b) => a.index - b.index);
  return inOrder.map(({ embedding }) => toLengthOne(embedding));
}

/** Six digits are the precision of a `real`. */
function toLengthOne(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => (length === 0 ? 0 : Number((value / length).toPrecision(7))));
}
