import type { Issue } from '../errors/app-error.ts';
import type { Platform } from '../platform.ts';
import { compileCost, compileLinearRegex, MAX_TEXT_CHARS } from './linear-regex.ts';
import { matchInThread, type PatternTask } from './pattern-thread.ts';

/** Steps of patterns that one request may take on the main thread, about 5 ms. */
export const INLINE_STEPS = 250_000;
/** The fault of a text that was not matched before the deadline. */
export const TOO_SLOW =
  'takes too long to match against its pattern: shorten the texts, send fewer of them, or simplify the pattern';

/** Steps that one request may still take on the main thread. */
export class InlineSteps {
  #left = INLINE_STEPS;

  /** Uses up steps; returns false if too few are left. */
  spend(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    return true;
  }

  /** Matches a text, or returns undefined when that would take more steps than are left. */
  test(pattern: string, ignoreCase: boolean, text: string): boolean | undefined {
    if (text.length > MAX_TEXT_CHARS) return false;
    if (!this.spend(compileCost(pattern, ignoreCase))) return undefined;
    const regex = compileLinearRegex(pattern, ignoreCase);
    if (regex === null) return false;
    return this.spend(regex.size * text.length) ? regex.test(text) : undefined;
  }
}

interface Pending {
  readonly field: string;
  readonly key: string;
  readonly task: PatternTask & { readonly texts: readonly [string] };
}

/**
 * Matches of one request. `test` decides cheap matches on the main thread and collects the others. `settle` runs those
 * in the worker thread, and afterwards `test` returns their results. Synchronous code calls `test` before and after
 * `settle`.
 */
export class PatternMatches {
  readonly #inline = new InlineSteps();
  /** Known matches by pattern and flag, then by text. */
  readonly #known = new Map<string, Map<string, boolean>>();
  #pending: Pending[] = [];
  #collects: boolean;

  /** `collects: false` if `settle` is not called: expensive matches then stay undecided. */
  constructor({ collects = true }: { readonly collects?: boolean } = {}) {
    this.#collects = collects;
  }

  /** True if matches for the worker thread are pending. */
  get isPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Returns the result of a match; undefined: it is not known yet. `field` names the text in errors. */
  test(pattern: string, ignoreCase: boolean, text: string, field: string): boolean | undefined {
    const key = `${ignoreCase ? 'i' : '-'}${pattern}`;
    const known = this.#known.get(key)?.get(text);
    if (known !== undefined) return known;
    const found = this.#inline.test(pattern, ignoreCase, text);
    if (found !== undefined) this.#remember(key, text, found);
    else if (this.#collects) this.#pending.push({ field, key, task: { pattern, ignoreCase, texts: [text] } });
    return found;
  }

  /**
   * Runs the pending matches. Returns the fault of the first one that the deadline left undecided.
   * @throws AppError RATE_LIMITED as `matchInThread`.
   */
  async settle(platform: Platform, tenantId: string): Promise<Issue[]> {
    const pending = this.#pending;
    this.#pending = [];
    this.#collects = false;
    if (pending.length === 0) return [];
    const tasks = pending.map(({ task }) => task);
    const { results } = await matchInThread(platform, tenantId, tasks);
    for (const [index, { field, key, task }] of pending.entries()) {
      const match = results[index]?.matches[0];
      if (match === undefined) return [{ field, message: TOO_SLOW }];
      this.#remember(key, task.texts[0], match);
    }
    return [];
  }

  /** Stores a result, including those of the main thread, so that a repeated call uses no steps. */
  #remember(key: string, text: string, match: boolean): void {
    const ofPattern = this.#known.get(key) ?? new Map<string, boolean>();
    this.#known.set(key, ofPattern.set(text, match));
  }
}
