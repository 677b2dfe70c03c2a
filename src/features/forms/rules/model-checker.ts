import type { Issue } from '../../../errors/app-error.ts';
import { compileIntake, MAX_ISSUES } from './answer-intake.ts';
import { COMMENT_SUFFIX, type FormDefinition } from './definition.ts';
import type { CheckResult } from './form-checker.ts';
import { outlineForm } from './form-outline.ts';
import type { FullModel } from './full-model.ts';

/** Checks submissions against one version of a form by the full model. */
export interface ModelChecker {
  /** A run that exceeds the deadline is an issue. Rejects with FullModelBusyError only. */
  check(answers: Record<string, unknown>): Promise<CheckResult>;
}

/**
 * Checks by the full model what `compileForm` cannot. Sizes, keys and the shape of every answer are checked before
 * survey-core sees them; it decides what is visible, required and valid.
 */
export function createModelChecker(
  tenantId: string,
  definition: FormDefinition,
  model: FullModel,
): ModelChecker {
  const outline = outlineForm(definition);
  const intake = compileIntake(definition, outline);
  const keyOf = new Map(outline.questions.map(({ name, key }) => [name, key]));
  return {
    async check(answers) {
      const { values, issues, malformed } = intake(answers);
      if (issues.length > 0) return { ok: false, issues };
      const verdict = await model.run(tenantId, { definition, answers: { ...values } });
      if (typeof verdict === 'string') return { ok: false, issues: [{ message: `form_data ${verdict}` }] };
      const found: Issue[] = [];
      for (const name of verdict.visible) {
        const key = keyOf.get(name) ?? name;
        found.push(...(malformed.get(key) ?? []), ...(malformed.get(`${key}${COMMENT_SUFFIX}`) ?? []));
      }
      for (const { name, issues: faults } of verdict.faults) {
        if (!malformed.has(keyOf.get(name) ?? name)) found.push(...faults);
      }
      return found.length > 0
        ? { ok: false, issues: found.slice(0, MAX_ISSUES) }
        : { ok: true, answers: verdict.answers };
    },
  };
}
