/** What the steps of a simulation show beside their outcomes: no more than fits into an answer, as a mail may be megabytes. */
import { takeAnswerMemory } from '../../../http/large-answer.ts';
import type { Leave } from '../../../ledger/fair-queue.ts';
import type { Platform } from '../../../platform.ts';

/** What a step shows beside its outcome. */
export interface Shown {
  readonly email?: { readonly subject: string; readonly html: string };
  readonly request?: { readonly method: string; readonly url: string };
}

/** What all steps show together, characters of JSON (docs/specification/journeys.md#simulation). */
const MOST_SHOWN = 16 * 1024 * 1024;
/** What is shown without asking for memory. */
const AT_ONCE = 256 * 1024;

/** What the visited steps show. The memory for it is given back by `leave`. */
export class ShownSteps {
  readonly #platform: Platform;
  readonly #tenantId: string;
  #characters = 0;
  #leave: Leave | null = null;
  /** One for each visit since they were taken. */
  #shown: Shown[] = [];

  constructor(platform: Platform, tenantId: string) {
    this.#platform = platform;
    this.#tenantId = tenantId;
  }

  /** Another step is visited, which shows nothing yet. */
  begin(): void {
    this.#shown.push({});
  }

  /** Has the step that is visited show something, unless there is no room left for it. */
  async show(shown: Shown): Promise<void> {
    const characters = this.#characters + JSON.stringify(shown).length;
    if (characters > MOST_SHOWN) return;
    this.#characters = characters;
    // For all that may follow at once, as whoever has some and waits for more may wait for ever.
    if (characters > AT_ONCE)
      this.#leave ??= await takeAnswerMemory(this.#platform, this.#tenantId, MOST_SHOWN);
    this.#shown[this.#shown.length - 1] = shown;
  }

  /** What was shown since this was asked for last, in the order of the visits. */
  take(): readonly Shown[] {
    const shown = this.#shown;
    this.#shown = [];
    return shown;
  }

  /** Gives memory back. */
  leave(): void {
    this.#leave?.();
  }
}
