/** Entry point for checking submissions: uses compiled rules where possible, otherwise the full model. */

import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { carryWritten } from '../../../../db/written-json.ts';
import { PatternMatches } from '../../../../patterns/pattern-matches.ts';
import type { FormDefinition } from './definition.ts';
import { ifCompilable } from './expressions.ts';
import { type CheckResult, compileForm } from './form-checker.ts';
import { createFullModel, createModelChecker, type FullModel, type ModelChecker } from './full-model.ts';
import { byVisitorClock } from './visitor-clock.ts';

/** Identifies a version of a form. */
export interface FormVersion {
  readonly tenantId: string;
  readonly code: string;
  readonly version: number;
}

/** Options of the engine. */
export interface FormEngineOptions {
  /** Deadline of the full model for a submission, in ms. Default 2,000. */
  readonly deadlineMs?: number;
  /** Memory for compiled form versions, roughly estimated. Default 256 MiB. */
  readonly cacheBytes?: number;
  /** Matches pending patterns in the pattern thread. Without it such answers are refused. */
  readonly matchPatterns?: (tenantId: string, patterns: PatternMatches) => Promise<unknown>;
}

/** Maximum number of cached form versions, and their total size. */
const MAX_FORMS = 1000;
const CACHE_BYTES = 256 * 1024 * 1024;
/**
 * Maximum share of the cache that a form counts for: a very large form is still cached, and does not evict all others.
 */
const MAX_CACHE_SHARE = 1 / 8;
/** Memory per character of a definition's JSON after it is parsed and compiled. */
const BYTES_PER_CHARACTER = 4;

/** Checks submissions against stored form versions. */
export class FormEngine {
  readonly #model: FullModel;
  readonly #maxSize: number;
  readonly #matchPatterns: FormEngineOptions['matchPatterns'];
  readonly #checkers: LRUCache<string, ModelChecker>;

  /** The full model's thread starts when a form first needs it. */
  constructor({ deadlineMs = 2000, cacheBytes = CACHE_BYTES, matchPatterns }: FormEngineOptions = {}) {
    this.#matchPatterns = matchPatterns;
    this.#model = createFullModel({ deadlineMs });
    this.#maxSize = cacheBytes;
    this.#checkers = new LRUCache({ max: MAX_FORMS, maxSize: cacheBytes });
  }

  /**
   * Checks answers against a form version. Messages are in the language of `locale`, otherwise in the wording of the
   * API. Expressions use the time of `timeZone`, or accept adjacent days without one. `loadDefinition` is called only
   * if the version is not cached; its errors are passed on and not cached. A check never waits for another one's load.
   * Rejects with ThreadBusyError if the full model is needed and busy, and with the errors of `matchPatterns`.
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
      // Loads are not shared: a check inside a transaction would wait for a load that waits for the embedded database's
      // only connection.
      const definition = await loadDefinition();
      checker = this.#checkers.get(key) ?? createChecker(tenantId, definition, this.#model);
      const size = Math.ceil(Math.min(sizeOf(definition), this.#maxSize * MAX_CACHE_SHARE));
      this.#checkers.set(key, checker, { size });
    }
    const patterns = new PatternMatches({ collects: this.#matchPatterns !== undefined });
    let result = await checker(answers, locale, patterns, timeZone);
    if (patterns.isPending) {
      await this.#matchPatterns?.(tenantId, patterns);
      result = await checker(answers, locale, patterns, timeZone);
    }
    return result.ok ? { ok: true, answers: asSubmitted(answers, result.answers) } : result;
  }

  /** Stops the full model's thread and rejects waiting checks. */
  close(): Promise<void> {
    return this.#model.close();
  }
}

/** Uses compiled rules, and the full model for what they cannot check. */
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

/**
 * Returns accepted answers with the digits and key order of the JSON that was submitted; the full model copies answers.
 */
function asSubmitted(
  submitted: Readonly<Record<string, unknown>>,
  accepted: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const answers = Object.entries(accepted).map(([key, answer]) => [
    key,
    isDeepStrictEqual(answer, submitted[key]) ? submitted[key] : answer,
  ]);
  return carryWritten(submitted, Object.fromEntries(answers));
}

/** Estimates the memory of a compiled definition, in bytes. */
function sizeOf(definition: FormDefinition): number {
  return 1 + JSON.stringify(definition).length * BYTES_PER_CHARACTER;
}
