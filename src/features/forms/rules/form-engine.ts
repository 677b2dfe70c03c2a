/** The one entrance to checking submissions: compiled rules where they reach, the full model elsewhere. */

import { LRUCache } from 'lru-cache';
import type { FormDefinition } from './definition.ts';
import { type CheckResult, compileForm, type FormChecker } from './form-checker.ts';
import { createFullModel } from './full-model.ts';
import { createModelChecker, type ModelChecker } from './model-checker.ts';
import { NotCompilableError } from './not-compilable-error.ts';

export interface FormEngineOptions {
  /** Form versions kept compiled. Default 1,000. */
  readonly maxForms?: number;
  /** How long the full model may take for one submission, in milliseconds. Default 2,000. */
  readonly deadlineMs?: number;
}

/** Checks submissions against stored form versions. */
export interface FormEngine {
  /**
   * Checks answers against the form version that `key` (code and version) names. `loadDefinition` is called only when
   * that version is not compiled yet; what it rejects with is passed on and not remembered. A check never waits for
   * the load of another.
   */
  check(
    key: string,
    loadDefinition: () => Promise<FormDefinition>,
    answers: Record<string, unknown>,
  ): Promise<CheckResult>;
  /** Ends the full model's thread. Checks that still wait for it end with an issue. */
  close(): Promise<void>;
}

/** Creates an engine; the full model's thread starts when a form first needs it. */
export function createFormEngine(options: FormEngineOptions = {}): FormEngine {
  const model = createFullModel({ deadlineMs: options.deadlineMs ?? 2000 });
  const checkers = new LRUCache<string, FormChecker | ModelChecker>({ max: options.maxForms ?? 1000 });

  const compile = (definition: FormDefinition): FormChecker | ModelChecker => {
    try {
      return compileForm(definition);
    } catch (error) {
      if (error instanceof NotCompilableError) return createModelChecker(definition, model);
      throw error;
    }
  };

  return {
    async check(key, loadDefinition, answers) {
      let checker = checkers.get(key);
      if (checker === undefined) {
        // Loads under way are not shared: a check inside a transaction would wait for a load that waits for its
        // connection, and the embedded database has only that one.
        const definition = await loadDefinition();
        checker = checkers.get(key) ?? compile(definition);
        checkers.set(key, checker);
      }
      return checker.check(answers);
    },
    close: () => model.close(),
  };
}
