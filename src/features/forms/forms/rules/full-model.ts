/**
 * survey-core's full model for forms that compiled rules do not express. It builds objects for every row and cell and
 * can be kept busy by a hostile submission (20,000 rows: 10 seconds), so it runs in a thread of its own with a
 * deadline: a run that exceeds it is ended together with the thread, and the next one starts a new thread.
 */

import { PatternMatches } from '../../../../patterns/pattern-matches.ts';
import { SharedThread, type SharedThreadOptions } from '../../../../threads/shared-thread.ts';
import { COMMENT_SUFFIX, type FormDefinition } from './definition.ts';
import { type FoundFault, fault } from './fault.ts';
import { type CheckResult, refuse } from './form-checker.ts';
import type { ModelVerdict } from './full-model-run.ts';
import { compileIntake } from './intake.ts';
import { outlineForm } from './outline.ts';

/** One run; what the thread receives. */
export interface FullModelRequest {
  readonly definition: FormDefinition;
  readonly answers: Record<string, unknown>;
  /** The language that survey-core is to speak; absent for callers of the API. */
  readonly locale?: string | undefined;
  /** The visitor's; absent where it is unknown. */
  readonly timeZone?: string | undefined;
}

/** What it answers: a verdict, unless survey-core failed. */
export type FullModelReply = ModelVerdict | 'could not be checked';

/** Runs submissions through the full model. */
export type FullModel = SharedThread<FullModelRequest, FullModelReply>;

/** Creates the runner; its thread starts with the first run and does not keep the process alive. */
export function createFullModel(options: Partial<SharedThreadOptions> = {}): FullModel {
  const script = new URL('./full-model-worker.ts', import.meta.url);
  // survey-core itself takes about 30 MB.
  const usual = { script, heapMb: 192, deadlineMs: 2000, maxWaitMs: 10_000, maxWaiting: 200 };
  return new SharedThread({ ...usual, ...options });
}

/** Checks submissions against one version of a form by the full model. Rejects with ThreadBusyError only. */
export type ModelChecker = (
  answers: Record<string, unknown>,
  locale?: string,
  patterns?: PatternMatches,
  timeZone?: string,
) => Promise<CheckResult>;

/**
 * Checks by the full model what `compileForm` cannot. Sizes, keys and the shape of every answer are checked before
 * survey-core sees them; it decides what is visible, required and valid. A run that exceeds the deadline is an issue.
 * While `patterns` has pending matches the result means nothing.
 */
export function createModelChecker(
  tenantId: string,
  definition: FormDefinition,
  model: Pick<FullModel, 'run'>,
): ModelChecker {
  const intake = compileIntake(outlineForm(definition));
  return async (answers, locale, patterns = new PatternMatches({ collects: false }), timeZone) => {
    const { values, faults, malformed } = intake(answers, patterns);
    if (patterns.isPending) return refuse([], locale);
    if (faults.length > 0) return refuse(faults, locale);
    const verdict = await model.run(tenantId, { definition, answers: { ...values }, locale, timeZone });
    if (typeof verdict === 'string') {
      const reason = verdict === 'took too long' ? verdict : 'could not be checked';
      return refuse([{ fault: fault(`form_data ${reason}`, 'unchecked') }], locale);
    }
    const found = verdict.shown.flatMap(({ key, faults: ofModel }): readonly FoundFault[] => {
      if (key === undefined) return ofModel;
      return [...(malformed.get(key) ?? ofModel), ...(malformed.get(`${key}${COMMENT_SUFFIX}`) ?? [])];
    });
    return found.length > 0 ? refuse(found, locale) : { ok: true, answers: verdict.answers };
  };
}
