/** Mails and calls that a simulation returns. Their total size is limited, because a mail may take megabytes. */
import { reserveResponseMemory } from '../../../http/large-response.ts';
import type { Platform } from '../../../platform.ts';
import type { Release } from '../../../work-queue/fair-queue.ts';

/** The mail or call of a step. */
export interface StepPreview {
  readonly email?: { readonly subject: string; readonly html: string };
  readonly request?: { readonly method: string; readonly url: string };
}

/** Total size of all previews, in characters of JSON (docs/specification/journeys.md#simulation). */
const MAX_CHARS = 16 * 1024 * 1024;
/** Total size up to which no memory is reserved. */
const UNRESERVED_CHARS = 256 * 1024;

/** Collects the previews of the visited steps. `release` returns their memory to the budget. */
export class StepPreviews {
  readonly #platform: Platform;
  readonly #tenantId: string;
  #characters = 0;
  #releaseMemory: Release | null = null;
  /** One for each visit since the last `take`. */
  #previews: StepPreview[] = [];

  constructor(platform: Platform, tenantId: string) {
    this.#platform = platform;
    this.#tenantId = tenantId;
  }

  /** Begins a visit, with an empty preview. */
  begin(): void {
    this.#previews.push({});
  }

  /** Sets the preview of the current visit, unless the total size would exceed the limit. */
  async show(preview: StepPreview): Promise<void> {
    const characters = this.#characters + JSON.stringify(preview).length;
    if (characters > MAX_CHARS) return;
    this.#characters = characters;
    // Reserves the maximum at once: reserving in parts could deadlock with other requests.
    if (characters > UNRESERVED_CHARS)
      this.#releaseMemory ??= await reserveResponseMemory(this.#platform, this.#tenantId, MAX_CHARS);
    this.#previews[this.#previews.length - 1] = preview;
  }

  /** Removes and returns the previews since the last call, in the order of the visits. */
  take(): readonly StepPreview[] {
    const previews = this.#previews;
    this.#previews = [];
    return previews;
  }

  /** Releases the reserved memory. */
  release(): void {
    this.#releaseMemory?.();
  }
}
