import { requestEmbeddings } from '../../../model-provider/embeddings.ts';
import { oncePerPlatform } from '../../../platform.ts';
import { HASHING_MODEL, hashTexts } from './hashing.ts';

/** Vectors of texts, in their order, and the model that they are of. */
export interface Embeddings {
  /** Vectors of different marks are not compared: the model, and how many numbers a vector has. */
  readonly mark: string;
  readonly vectors: readonly (readonly number[])[];
}

/** What makes vectors of texts. */
export interface Embedder {
  readonly model: string;
  /** @throws AppError LLM_PROVIDER_ERROR when the provider fails. */
  embed(tenantId: string, texts: readonly string[]): Promise<Embeddings>;
}

/** The embedder of the process: the provider's, else the built-in one. */
export const embedderOf = oncePerPlatform((platform): Embedder => {
  const { embeddingsBaseUrl, embeddingsModel } = platform.config;
  if (embeddingsBaseUrl === null || embeddingsModel === null)
    return {
      model: HASHING_MODEL,
      embed: async (_tenantId, texts) => marked(HASHING_MODEL, await hashTexts(texts)),
    };
  return {
    model: embeddingsModel,
    embed: async (tenantId, texts) =>
      marked(embeddingsModel, await requestEmbeddings(platform, tenantId, texts)),
  };
});

function marked(model: string, vectors: Embeddings['vectors']): Embeddings {
  return { mark: `${model} ${vectors[0]?.length ?? 0}`, vectors };
}
