/**
 * Embeds many texts through a provider that may refuse some of them. A refused batch is split until the faulty text is
 * alone, so that it does not cost the others their vectors (docs/specification/ai.md#embeddings).
 */
import { AppError } from '../errors/app-error.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { RejectedTexts, requestVectors } from './embeddings.ts';
import { LLM_PROVIDER_ERROR } from './errors.ts';
import { waitForProvider } from './provider-turns.ts';

/** The vector of a text, or the reason why it has none. */
export type EmbeddedText =
  | { readonly vector: readonly number[]; readonly refusal?: undefined }
  | { readonly vector?: undefined; readonly refusal: string };

/** Texts per call, until the provider turns out to accept fewer. */
const MAX_AT_ONCE = 100;
const EMPTY = 'must not be empty';
/** A text that every provider embeds. */
const PROBE = 'text';

const limits = oncePerPlatform(() => ({ atOnce: MAX_AT_ONCE }));

/**
 * Returns vectors of length 1 and equal dimension, or refusals, in the order of the texts.
 * @throws AppError LLM_PROVIDER_ERROR when the provider fails, or refuses every text.
 */
export async function embedTexts(
  platform: Platform,
  tenantId: string,
  texts: readonly string[],
): Promise<EmbeddedText[]> {
  const sent = texts.filter((text) => text.trim() !== '');
  const batches = new Batches(platform, tenantId);
  const embedded: EmbeddedText[] = [];
  while (embedded.length < sent.length) {
    const next = sent.slice(embedded.length, embedded.length + limits(platform).atOnce);
    embedded.push(...(await batches.embed(next)));
  }
  requireOneLength(embedded);
  const inOrder = embedded.values();
  return texts.map((text) => (text.trim() === '' ? undefined : inOrder.next().value) ?? { refusal: EMPTY });
}

class Batches {
  readonly #platform: Platform;
  readonly #tenantId: string;
  /** True once the provider has embedded a text: a refusal then concerns the refused text. */
  #isWorking = false;

  constructor(platform: Platform, tenantId: string) {
    this.#platform = platform;
    this.#tenantId = tenantId;
  }

  async embed(texts: readonly string[]): Promise<EmbeddedText[]> {
    try {
      return (await this.#request(texts)).map((vector) => ({ vector }));
    } catch (error) {
      if (!(error instanceof RejectedTexts)) throw error;
      if (texts.length > 1) return this.#split(texts);
      await this.#requireWorking(error);
      return [{ refusal: error.message }];
    }
  }

  async #split(texts: readonly string[]): Promise<EmbeddedText[]> {
    const half = Math.ceil(texts.length / 2);
    const parts = [...(await this.embed(texts.slice(0, half))), ...(await this.embed(texts.slice(half)))];
    // No text was at fault: the batch was too large.
    const limit = limits(this.#platform);
    if (parts.every(({ vector }) => vector !== undefined)) limit.atOnce = Math.min(limit.atOnce, half);
    return parts;
  }

  async #request(texts: readonly string[]): Promise<number[][]> {
    // One slot per call: others take turns between two calls.
    const release = await waitForProvider(this.#platform, this.#tenantId);
    try {
      const vectors = await requestVectors(this.#platform, texts);
      this.#isWorking = true;
      return vectors;
    } finally {
      release();
    }
  }

  /** @throws AppError LLM_PROVIDER_ERROR with the refusal if the provider refuses every text. */
  async #requireWorking({ message }: RejectedTexts): Promise<void> {
    if (this.#isWorking) return;
    try {
      await this.#request([PROBE]);
    } catch (error) {
      throw error instanceof RejectedTexts ? new AppError(LLM_PROVIDER_ERROR, { message }) : error;
    }
  }
}

function requireOneLength(embedded: readonly EmbeddedText[]): void {
  const lengths = new Set(embedded.flatMap(({ vector }) => vector?.length ?? []));
  if (lengths.size <= 1) return;
  const message = `The embeddings provider returned vectors of different lengths: ${[...lengths].join(', ')}.`;
  throw new AppError(LLM_PROVIDER_ERROR, { message });
}
