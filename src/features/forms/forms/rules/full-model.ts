/**
 * survey-core's full model, for forms that compiled rules cannot check. It builds objects for each row and cell, and a
 * hostile submission can keep it busy (20,000 rows: 10 seconds). So it runs in its own thread. If a run exceeds the
 * deadline, the thread is terminated, and the next run starts a new one.
 */

import { PatternMatches } from '../../../../patterns/pattern-matches.ts';
import { SharedThread, type SharedThreadOptions } from '../../../../threads/shared-thread.ts';
import { COMMENT_SUFFIX, type FormDefinition } from './definition.ts';
import { type FoundFault, fault } from './fault.ts';
import { type CheckResult, refuse } from './form-checker.ts';
import type { FullModelRequest, ModelVerdict } from './full-model-run.ts';
import { compileIntake } from './intake.ts';
import { outlineForm } from './outline.ts';

/** Result of a run: a verdict, or the message if survey-core threw an error. */
export type FullModelReply = ModelVerdict | 'could not be checked';

/** Runs submissions through the full model. */
export type FullModel = SharedThread<FullModelRequest, FullModelReply>;

/** Creates the runner. Its thread starts with the first run and does not keep the process alive. */
export function createFullModel(options: Partial<SharedThreadOptions> = {}): FullModel {
  const script = new URL('./full-model-worker.ts', import.meta.url);
  // survey-core itself takes about 30 MB.
  const defaults = { script, heapMb: 192, deadlineMs: 2000, maxWaitMs: 10_000, maxWaiting: 200 };
  return new SharedThread({ ...defaults, ...options });
}

/** Checks submissions against one version of a form. Rejects only with ThreadBusyError. */
export type ModelChecker = (
  answers: Record<string, unknown>,
  locale?: string,
  patterns?: PatternMatches,
  timeZone?: string,
) => Promise<CheckResult>;

/**
 * Creates a checker for forms that `compileForm` cannot compile. Sizes, keys and the shape of each answer are checked
 * first; survey-core then decides what is visible, required and valid. If the run exceeds the deadline, the checker
 * reports an issue. While `patterns` has pending matches, the result is meaningless.
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
    const found = verdict.shown.flatMap(({ key, faults: modelFaults }): readonly FoundFault[] => {
      if (key === undefined) return modelFaults;
      return [...(malformed.get(key) ?? modelFaults), ...(malformed.get(`${key}${COMMENT_SUFFIX}`) ?? [])];
    });
    return found.length > 0 ? refuse(found, locale) : { ok: true, answers: verdict.answers };
  };
}
