/** Memory budget of a response with included records. */
import { reserveResponseMemory } from '../../../http/large-response.ts';
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
  #remaining = MAX_CHARACTERS;
  #release: Release | null = null;

  constructor(platform: Platform, tenantId: string) {
    this.#platform = platform;
    this.#tenantId = tenantId;
  }

  /** Total bytes of records that may still be read. */
  get remaining(): number {
    return this.#remaining;
  }

  /** Bytes that may be read at once now. */
  get readable(): number {
    return this.#release === null ? Math.min(FREE_BYTES, this.#remaining) : this.#remaining;
  }

  /**
   * Waits for the memory of the whole response. It reserves all at once: waiting for more while some is
   * reserved could deadlock.
   */
  async reserveMemory(): Promise<void> {
    this.#release ??= await reserveResponseMemory(this.#platform, this.#tenantId, MAX_CHARACTERS);
  }

  /** Deducts the records from the budget and returns them. */
  deduct<Records extends readonly ReadRecord[]>(records: Records): Records {
    this.#remaining = records.reduce((remaining, { json }) => remaining - json.length, this.#remaining);
    return records;
  }

  /** Releases the reserved memory. */
  release(): void {
    this.#release?.();
  }
}
