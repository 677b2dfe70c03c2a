/** The `/v1/embeddings` of a provider (docs/specification/ai.md#embeddings). */
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '../errors/app-error.ts';
import type { Platform } from '../platform.ts';
import { LLM_PROVIDER_ERROR } from './errors.ts';
import { takeProviderTurn } from './provider-turns.ts';
import { parseJson, refusalOf } from './refusal.ts';

const MAX_ANSWER = 64 * 1024 * 1024;
/** Texts that the provider is sent at once. */
const AT_ONCE = 100;
const NO_VECTORS = 'The embeddings provider answered something else than vectors.';

const Answer = Compile(
  Type.Object({
    data: Type.Array(
      Type.Object({ index: Type.Integer(), embedding: Type.Array(Type.Number(), { minItems: 1 }) }),
    ),
  }),
);

/** Vectors of length 1 of these texts, in their order and of equally many numbers. @throws AppError LLM_PROVIDER_ERROR */
export async function requestEmbeddings(
  platform: Platform,
  tenantId: string,
  texts: readonly string[],
): Promise<number[][]> {
  const vectors: number[][] = [];
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    // One place for each call: between two calls others have their turn.
    const leave = await takeProviderTurn(platform, tenantId);
    try {
      vectors.push(...(await requestSome(platform, texts.slice(from, from + AT_ONCE))));
    } finally {
      leave();
    }
  }
  if (vectors.some(({ length }) => length !== vectors[0]?.length))
    throw new AppError(LLM_PROVIDER_ERROR, { message: NO_VECTORS });
  return vectors;
}

async function requestSome(
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
  if (result.status !== 200)
    throw new AppError(LLM_PROVIDER_ERROR, {
      message: refusalOf('embeddings', result.status, result.body, config),
    });
  const answer = parseJson(result.body);
  if (!Answer.Check(answer) || answer.data.length !== texts.length)
    throw new AppError(LLM_PROVIDER_ERROR, { message: NO_VECTORS });
  const inOrder = answer.data.toSorted((a, b) => a.index - b.index);
  return inOrder.map(({ embedding }) => toLengthOne(embedding));
}

/** Six digits are as many as a real keeps. */
function toLengthOne(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => (length === 0 ? 0 : Number((value / length).toPrecision(7))));
}
