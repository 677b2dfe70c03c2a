/** The one entrance to checking submissions: compiled rules where they reach, the full model elsewhere. */

import { LRUCache } from 'lru-cache';
import type { FormDefinition } from './definition.ts';
import { NotCompilableError } from './expressions.ts';
import { type CheckResult, compileForm } from './form-checker.ts';
import { FullModel } from './full-model.ts';
import { MAX_PATTERN_BYTES } from './linear-regex.ts';
import { createModelChecker, type ModelChecker } from './model-checker.ts';

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
}

/** Checks submissions against stored form versions. */
export interface FormEngine {
  /**
   * Checks answers against a form version. `loadDefinition` is called only when that version is not compiled yet;
   * what it rejects with is passed on and not remembered. A check never waits for the load of another. Rejects with
   * FullModelBusyError when the full model is needed and has no time.
   */
  check(
    form: FormVersion,
    loadDefinition: () => Promise<FormDefinition>,
    answers: Record<string, unknown>,
  ): Promise<CheckResult>;
  /** Ends the full model's thread. Checks that still wait for it are rejected. */
  close(): Promise<void>;
}

/** Form versions kept compiled, and what they may take together. */
const MAX_FORMS = 1000;
const CACHE_BYTES = 256 * 1024 * 1024;
/** A form counts as this part of the cache at most: however large, it is kept, and does not push out all others. */
const MAX_CACHE_SHARE = 1 / 8;
/** What a character of a definition's JSON takes once it is read and compiled. */
const BYTES_PER_CHARACTER = 4;

/** Creates an engine; the full model's thread starts when a form first needs it. */
export function createFormEngine(options: FormEngineOptions = {}): FormEngine {
  const model = new FullModel({ deadlineMs: options.deadlineMs ?? 2000 });
  const maxSize = options.cacheBytes ?? CACHE_BYTES;
  const checkers = new LRUCache<string, ModelChecker>({ max: MAX_FORMS, maxSize });

  return {
    async check({ tenantId, code, version }, loadDefinition, answers) {
      const key = `${tenantId}/${code}@${version}`;
      let checker = checkers.get(key);
      if (checker === undefined) {
        // Loads under way are not shared: a check inside a transaction would wait for a load that waits for its
        // connection, and the embedded database has only that one.
        const definition = await loadDefinition();
        checker = checkers.get(key) ?? createCheck(tenantId, definition, model);
        const size = Math.ceil(Math.min(sizeOf(definition), maxSize * MAX_CACHE_SHARE));
        checkers.set(key, checker, { size });
      }
      return checker(answers);
    },
    close: () => model.close(),
  };
}

/** Checks by compiled rules, and by the full model what is too much for them. */
function createCheck(tenantId: string, definition: FormDefinition, model: FullModel): ModelChecker {
  const compiled = unlessNotCompilable(() => compileForm(definition));
  let byModel: ModelChecker | undefined;
  return async (answers) => {
    const result = unlessNotCompilable(() => compiled?.check(answers));
    if (result !== undefined) return result;
    byModel ??= createModelChecker(tenantId, definition, model);
    return byModel(answers);
  };
}

function unlessNotCompilable<Result>(attempt: () => Result): Result | undefined {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof NotCompilableError) return undefined;
    throw error;
  }
}

/** The memory that a compiled definition takes, in bytes. */
function sizeOf(definition: FormDefinition): number {
  const json = JSON.stringify(definition);
  // The property, not the type of a validator, which is "regex" too.
  const patterns = json.split('"regex":').length - 1;
  return 1 + json.length * BYTES_PER_CHARACTER + patterns * MAX_PATTERN_BYTES;
}
