/** The one entrance to checking submissions: compiled rules where they reach, the full model elsewhere. */

import { LRUCache } from 'lru-cache';
import { PatternMatches } from '../../../../patterns/pattern-matches.ts';
import type { FormDefinition } from './definition.ts';
import { ifCompilable } from './expressions.ts';
import { type CheckResult, compileForm } from './form-checker.ts';
import { createFullModel, createModelChecker, type FullModel, type ModelChecker } from './full-model.ts';
import { byVisitorClock } from './visitor-clock.ts';

/** What names one version of a form. */
export interface FormVersion {
  readonly tenantId: string;
  readonly code: string;
  readonly version: number;
}

export interface FormEngineOptions {
  /** How long the full model may take for one submission, in milliseconds. Default 2,000. */
  readonly deadlineMs?: number;
  /** How much memory compiled form versions may take, by a rough estimate. Default 256 MB. */
  readonly cacheBytes?: number;
  /** Decides the pending matches in the pattern thread. Without it such answers are refused. */
  readonly settle?: (tenantId: string, patterns: PatternMatches) => Promise<unknown>;
}

/** Form versions kept compiled, and what they may take together. */
const MAX_FORMS = 1000;
const CACHE_BYTES = 256 * 1024 * 1024;
/** A form counts as this part of the cache at most: however large, it is kept, and does not push out all others. */
const MAX_CACHE_SHARE = 1 / 8;
/** What a character of a definition's JSON takes once it is read and compiled. */
const BYTES_PER_CHARACTER = 4;

/** Checks submissions against stored form versions. */
export class FormEngine {
  readonly #model: FullModel;
  readonly #maxSize: number;
  readonly #settle: FormEngineOptions['settle'];
  readonly #checkers: LRUCache<string, ModelChecker>;

  /** The full model's thread starts when a form first needs it. */
  constructor({ deadlineMs = 2000, cacheBytes = CACHE_BYTES, settle }: FormEngineOptions = {}) {
    this.#settle = settle;
    this.#model = createFullModel({ deadlineMs });
    this.#maxSize = cacheBytes;
    this.#checkers = new LRUCache({ max: MAX_FORMS, maxSize: cacheBytes });
  }

  /**
   * Checks answers against a form version; faults are told in the language of `locale`, or as callers of the API read
   * them. Expressions read the clock of `timeZone`, or of any day around this one. `loadDefinition` is called only when that version is not compiled yet;
   * what it rejects with is passed on and not remembered. A check never waits for the load of another. Rejects with
   * ThreadBusyError when the full model is needed and has no time, or as `settle` does.
   */
  async check(
    { tenantId, code, version }: FormVersion,
    loadDefinition: () => Promise<FormDefinition>,
    answers: Record<string, unknown>,
    locale?: string,
    timeZone?: string,
  ): Promise<CheckResult> {
    const key = `${tenantId}/${code}@${version}`;
    let checker = this.#checkers.get(key);
    if (checker === undefined) {
      // Loads under way are not shared: a check inside a transaction would wait for a load that waits for its
      // connection, and the embedded database has only that one.
      const definition = await loadDefinition();
      checker = this.#checkers.get(key) ?? createChecker(tenantId, definition, this.#model);
      const size = Math.ceil(Math.min(sizeOf(definition), this.#maxSize * MAX_CACHE_SHARE));
      this.#checkers.set(key, checker, { size });
    }
    const patterns = new PatternMatches({ collects: this.#settle !== undefined });
    const result = await checker(answers, locale, patterns, timeZone);
    if (!patterns.isPending) return result;
    await this.#settle?.(tenantId, patterns);
    return checker(answers, locale, patterns, timeZone);
  }

  /** Ends the full model's thread. Checks that still wait for it are rejected. */
  close(): Promise<void> {
    return this.#model.close();
  }
}

/** Checks by compiled rules, and by the full model what is too much for them. */
function createChecker(tenantId: string, definition: FormDefinition, model: FullModel): ModelChecker {
  const compiled = ifCompilable(() => compileForm(definition));
  let byModel: ModelChecker | undefined;
  return async (answers, locale, patterns, timeZone) => {
    const result = ifCompilable(() =>
      byVisitorClock(
        timeZone,
        () => compiled?.check(answers, locale, patterns),
        (checked) => checked?.ok !== false,
      ),
    );
    if (result !== undefined) return result;
    byModel ??= createModelChecker(tenantId, definition, model);
    return byModel(answers, locale, patterns, timeZone);
  };
}

/** The memory that a compiled definition takes, in bytes. */
function sizeOf(definition: FormDefinition): number {
  return 1 + JSON.stringify(definition).length * BYTES_PER_CHARACTER;
}
