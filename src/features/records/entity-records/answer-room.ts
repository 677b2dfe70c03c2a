/** How much an answer with included records may still read: no more at once than has memory of its own. */
import { takeAnswerMemory } from '../../../http/large-answer.ts';
import type { Platform } from '../../../platform.ts';
import type { Leave } from '../../../work-queue/fair-queue.ts';
import type { ReadRecord } from './read-queries.ts';
import { MOST_CHARACTERS } from './sizes.ts';

/** What is read without asking for memory, bytes. */
const AT_ONCE = 256 * 1024;

/** The room of one answer, which is given back by `leave`. */
export class AnswerRoom {
  readonly characters = MOST_CHARACTERS;
  readonly #platform: Platform;
  readonly #tenantId: string;
  #left = MOST_CHARACTERS;
  #leave: Leave | null = null;

  constructor(platform: Platform, tenantId: string) {
    this.#platform = platform;
    this.#tenantId = tenantId;
  }

  /** What all records that it still reads may have together, bytes. */
  get left(): number {
    return this.#left;
  }

  /** What may be read now. */
  get atOnce(): number {
    return this.#leave === null ? Math.min(AT_ONCE, this.#left) : this.#left;
  }

  /** Waits until there is memory for all that it may read: once, as whoever has some and waits for more may wait for ever. */
  async takeMemory(): Promise<void> {
    this.#leave ??= await takeAnswerMemory(this.#platform, this.#tenantId, MOST_CHARACTERS);
  }

  /** Takes up room for records that were read. */
  keep<Records extends readonly ReadRecord[]>(records: Records): Records {
    this.#left = records.reduce((left, { json }) => left - json.length, this.#left);
    return records;
  }

  /** Gives memory back. */
  leave(): void {
    this.#leave?.();
  }
}
