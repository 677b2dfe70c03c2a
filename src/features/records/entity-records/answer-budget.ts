/** Memory budget of a response with included records. */
import { reserveAnswerMemory } from '../../../http/large-answer.ts';
import type { Platform } from '../../../platform.ts';
import type { Release } from '../../../work-queue/fair-queue.ts';
import type { ReadRecord } from './read-queries.ts';
import { MAX_CHARACTERS } from './sizes.ts';

/** Bytes that are read without reserving memory. */
const FREE_BYTES = 256 * 1024;

/** The budget of one response. Call `release` at its end. */
export class AnswerBudget {
  readonly characters = MAX_CHARACTERS;
  readonly #platform: Platform;
  readonly #tenantId: string;
  #left = MAX_CHARACTERS;
  #leave: Release | null = null;

  constructor(platform: Platform, tenantId: string) {
    this.#platform = platform;
    this.#tenantId = tenantId;
  }

  /** Bytes that all further records may have together. */
  get left(): number {
    return this.#left;
  }

  /** Bytes that may be read at once now. */
  get readable(): number {
    return this.#leave === null ? Math.min(FREE_BYTES, this.#left) : this.#left;
  }

  /**
   * Waits for the memory of the whole response. It reserves only once: holding some while waiting for more could
   * deadlock.
   */
  async takeMemory(): Promise<void> {
    this.#leave ??= await reserveAnswerMemory(this.#platform, this.#tenantId, MAX_CHARACTERS);
  }

  /** Deducts the records from the budget and returns them. */
  keep<Records extends readonly ReadRecord[]>(records: Records): Records {
    this.#left = records.reduce((left, { json }) => left - json.length, this.#left);
    return records;
  }

  /** Releases the reserved memory. */
  release(): void {
    this.#leave?.();
  }
}
