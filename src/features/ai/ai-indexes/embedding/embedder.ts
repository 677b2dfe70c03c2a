import { AppError } from '../../../../errors/app-error.ts';
import { type EmbeddedText, embedTexts } from '../../../../model-provider/embedding-batches.ts';
import { LLM_PROVIDER_ERROR } from '../../../../model-provider/errors.ts';
import { oncePerPlatform } from '../../../../platform.ts';
import { countWordsOf, type WordCounts } from '../words/stems.ts';
import { HASHING_MODEL, hashTexts } from './hashing.ts';

/** Vectors of texts, in order, with their model. */
export interface Embeddings {
  /** Model and vector length. Only vectors with the same mark are compared. */
  readonly mark: string;
  /** Length of the vectors; 0 if there are none. */
  readonly length: number;
  readonly texts: readonly EmbeddedText[];
  /** Stems of the texts, for indexes that are also ranked by words. */
  readonly words?: readonly WordCounts[];
}

/** Computes vectors of texts. */
export interface Embedder {
  readonly model: string;
  /** True if items are also ranked by words. */
  readonly ranksWords: boolean;
  /** @throws AppError LLM_PROVIDER_ERROR if the provider fails. */
  embed(tenantId: string, texts: readonly string[]): Promise<Embeddings>;
}

/** The embedder of the process: the configured provider, otherwise the built-in one. */
export const embedderOf = oncePerPlatform((platform): Embedder => {
  const { embeddingsBaseUrl, embeddingsModel } = platform.config;
  if (embeddingsBaseUrl === null || embeddingsModel === null)
    return {
      model: HASHING_MODEL,
      ranksWords: true,
      embed: async (_tenantId, texts) => ({
        ...toEmbeddings(
          HASHING_MODEL,
          (await hashTexts(texts)).map((vector) => ({ vector })),
        ),
        words: await countWordsOf(texts),
      }),
    };
  return {
    model: embeddingsModel,
    ranksWords: false,
    embed: async (tenantId, texts) =>
      toEmbeddings(embeddingsModel, await embedTexts(platform, tenantId, texts)),
  };
});

/** Requires that vectors have the length of those in the index. @throws AppError LLM_PROVIDER_ERROR. */
export function requireLength({ length }: Pick<Embeddings, 'length'>, expected: number | null): void {
  if (length === 0 || expected === null || length === expected) return;
  throw new AppError(LLM_PROVIDER_ERROR, {
    message: `The embeddings provider returned vectors of ${length} dimensions; the index has ${expected}. Restore the provider's setting, or create a new index.`,
  });
}

/** Returns the mark of items whose text a model rejects. */
export const refusedMark = (model: string) => markOf(model, 0);

function toEmbeddings(model: string, texts: readonly EmbeddedText[]): Embeddings {
  const length = texts.find(({ vector }) => vector !== undefined)?.vector?.length ?? 0;
  return { mark: markOf(model, length), length, texts };
}

function markOf(model: string, length: number): string {
  return `${model} ${length}`;
}
