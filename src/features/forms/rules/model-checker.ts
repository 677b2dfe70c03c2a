import type { Issue } from '../../../errors/app-error.ts';
import { COMMENT_SUFFIX, type FormDefinition } from './definition.ts';
import type { CheckResult } from './form-checker.ts';
import type { FullModel } from './full-model.ts';
import { compileIntake, MAX_ISSUES } from './intake.ts';
import { outlineForm } from './outline.ts';

/** Checks submissions against one version of a form by the full model. Rejects with FullModelBusyError only. */
export type ModelChecker = (answers: Record<string, unknown>) => Promise<CheckResult>;

/**
 * Checks by the full model what `compileForm` cannot. Sizes, keys and the shape of every answer are checked before
 * survey-core sees them; it decides what is visible, required and valid. A run that exceeds the deadline is an issue.
 */
export function createModelChecker(
  tenantId: string,
  definition: FormDefinition,
  model: FullModel,
): ModelChecker {
  const outline = outlineForm(definition);
  const intake = compileIntake(outline);
  const keyOf = new Map(outline.questions.map(({ element }) => [element.name, element.key]));
  return async (answers) => {
    const { values, issues, malformed } = intake(answers);
    if (issues.length > 0) return { ok: false, issues };
    const verdict = await model.run(tenantId, { definition, answers: { ...values } });
    if (typeof verdict === 'string') return { ok: false, issues: [{ message: `form_data ${verdict}` }] };
    const ofShapes = verdict.visible.flatMap((name) => {
      const key = keyOf.get(name) ?? name;
      return [...(malformed.get(key) ?? []), ...(malformed.get(`${key}${COMMENT_SUFFIX}`) ?? [])];
    });
    const ofModel = verdict.faults.filter(({ name }) => !malformed.has(keyOf.get(name) ?? name));
    const found: Issue[] = [...ofShapes, ...ofModel.flatMap((fault) => fault.issues)];
    return found.length > 0
      ? { ok: false, issues: found.slice(0, MAX_ISSUES) }
      : { ok: true, answers: verdict.answers };
  };
}
