/**
 * A form version compiled into rules, which check a submission without building a SurveyJS model (2 to 10 ms each).
 * Knows nothing of HTTP or the database. Forms it cannot express go to `full-model.ts`.
 */

import type { Issue } from '../../../errors/app-error.ts';
import { compileIntake, type Intake, MAX_ISSUES } from './answer-intake.ts';
import { knownNames, requireCompilable } from './compilability.ts';
import { type ComputedValue, compileComputedValues, computeInto } from './computed-values.ts';
import type { FormDefinition } from './definition.ts';
import { compileExpressionCost, type ExpressionCost } from './expression-cost.ts';
import type { ExpressionValues } from './expressions.ts';
import { type FormOutline, outlineForm } from './form-outline.ts';
import { compileSkippedPages, type SkippedPages } from './navigation.ts';
import { NotCompilableError } from './not-compilable-error.ts';
import {
  type CompiledContainer,
  type CompiledQuestion,
  compileContainers,
  compileQuestions,
} from './question-rule.ts';

/**
 * The outcome of checking a submission. `answers` are the caller's, without empty ones and without those of hidden
 * questions (unless the form keeps them: `clearIfInvisible: none`), with computed values added.
 */
export type CheckResult = { ok: true; answers: Record<string, unknown> } | { ok: false; issues: Issue[] };

/** Checks submissions against one version of a form. Safe to share: a check leaves nothing behind. */
export interface FormChecker {
  /**
   * Whatever `answers` holds, throws nothing but NotCompilableError, for answers so large that the form's expressions
   * would hold up the process. `field` of an issue is the question's name (`panel[0].question`).
   */
  check(answers: Record<string, unknown>): CheckResult;
}

/**
 * Compiles a definition that `checkDefinition` found no fault in. Throws NotCompilableError when only survey-core's
 * full model can check it (matrices, repeated panels, files, expressions on the survey's own state).
 */
export function compileForm(definition: FormDefinition): FormChecker {
  const outline = outlineForm(definition);
  requireCompilable(definition, outline);
  return new CompiledForm(definition, outline);
}

/** A quarter of a second; what costs more goes to the full model, which has a thread and a deadline. */
const MAX_COST = 5_000_000;
/** Bounds the chains of conditions that clearing on hiding follows; they are rarely longer than three. */
const MAX_ROUNDS = 10;

class CompiledForm implements FormChecker {
  readonly #intake: (answers: unknown) => Intake;
  readonly #cost: ExpressionCost;
  readonly #computed: readonly ComputedValue[];
  readonly #containers: readonly CompiledContainer[];
  readonly #questions: readonly CompiledQuestion[];
  readonly #skipped: SkippedPages;
  readonly #dropsEarly: boolean;

  constructor(definition: FormDefinition, outline: FormOutline) {
    const known = knownNames(definition, outline);
    this.#intake = compileIntake(definition, outline);
    this.#cost = compileExpressionCost(definition, outline);
    this.#computed = compileComputedValues(definition, outline, known);
    this.#containers = compileContainers(definition, outline, known);
    this.#questions = compileQuestions(definition, outline, known);
    this.#skipped = compileSkippedPages(definition, outline);
    this.#dropsEarly = this.#questions.some((question) => question.clear === 'onHidden');
  }

  check(answers: Record<string, unknown>): CheckResult {
    const { values, issues, malformed } = this.#intake(answers);
    // An issue without a field refuses the answers as a whole; others are told together with what follows.
    if (issues.some((issue) => issue.field === undefined)) return { ok: false, issues };
    const cost = this.#cost(values);
    requireTime(cost);
    computeInto(values, this.#computed);
    let visible = this.#visibility(values);
    if (this.#dropsEarly) visible = this.#settleHidden(values, visible, cost);
    this.#findFaults(values, visible, malformed, issues);
    if (issues.length > 0) return { ok: false, issues: issues.slice(0, MAX_ISSUES) };
    this.#drop(values, visible, (question) => question.clear !== 'none');
    return { ok: true, answers: this.#accepted(values, visible) };
  }

  /** Whether each question is visible, itself and all that it is in. */
  #visibility(values: ExpressionValues): readonly boolean[] {
    const shown: boolean[] = [];
    for (const { parent, isVisible } of this.#containers) {
      shown.push((parent < 0 || shown[parent] === true) && (isVisible === undefined || isVisible(values)));
    }
    return this.#questions.map(
      ({ container, isVisible }) =>
        shown[container] === true && (isVisible === undefined || isVisible(values)),
    );
  }

  /**
   * Drops answers that the form clears on hiding until nothing more gets hidden; says what is visible then. Every round
   * may cost as much as the whole check did.
   */
  #settleHidden(
    values: ExpressionValues,
    visible: readonly boolean[],
    roundCost: number,
  ): readonly boolean[] {
    let shown = visible;
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      if (!this.#drop(values, shown, (question) => question.clear === 'onHidden')) break;
      requireTime(roundCost * (round + 1));
      computeInto(values, this.#computed);
      shown = this.#visibility(values);
    }
    return shown;
  }

  /**
   * Drops the answers of hidden questions that `drops` selects; says whether there were any. What else these answers
   * made visible stays so: survey-core evaluates no conditions either while it completes.
   */
  #drop(
    values: ExpressionValues,
    visible: readonly boolean[],
    drops: (question: CompiledQuestion) => boolean,
  ): boolean {
    let hasDropped = false;
    for (const [index, question] of this.#questions.entries()) {
      if (visible[index] || question.isComputed || values[question.key] === undefined || !drops(question))
        continue;
      delete values[question.key];
      delete values[question.commentKey];
      hasDropped = true;
    }
    return hasDropped;
  }

  #findFaults(
    values: ExpressionValues,
    visible: readonly boolean[],
    malformed: ReadonlyMap<string, Issue[]>,
    issues: Issue[],
  ): void {
    const skipped = this.#skipped(values);
    const readOnly = this.#readOnly(values);
    for (const [index, question] of this.#questions.entries()) {
      if (!visible[index]) continue;
      const shapeFaults = malformed.get(question.key);
      if (shapeFaults !== undefined) issues.push(...shapeFaults);
      const commentFaults = malformed.get(question.commentKey);
      if (commentFaults !== undefined) issues.push(...commentFaults);
      if (shapeFaults !== undefined || readOnly[question.container] || question.isReadOnly?.(values))
        continue;
      const value = values[question.key];
      if (value !== undefined || !skipped.has(question.page)) question.check(value, values, issues);
    }
    for (const [index, container] of this.#containers.entries()) {
      if (container.isRequired?.(values) !== true || skipped.has(container.page)) continue;
      const inside = this.#visibleInside(index, visible);
      const isAnswered = inside.some(({ key }) => values[key] !== undefined || malformed.has(key));
      if (inside.length > 0 && !isAnswered) {
        issues.push({ field: container.name, message: container.requiredMessage });
      }
    }
  }

  /**
   * Whether each container is read-only, itself or what it is in. Neither a read-only question nor one in a read-only
   * container can be answered, so its rules do not apply.
   */
  #readOnly(values: ExpressionValues): readonly boolean[] {
    const readOnly: boolean[] = [];
    for (const { parent, isReadOnly } of this.#containers)
      readOnly.push(readOnly[parent] === true || isReadOnly?.(values) === true);
    return readOnly;
  }

  #visibleInside(container: number, visible: readonly boolean[]): CompiledQuestion[] {
    return this.#questions.filter(({ container: own }, index) => {
      let at = own;
      while (at > container) at = this.#containers[at]?.parent ?? -1;
      return at === container && visible[index] === true;
    });
  }

  #accepted(values: ExpressionValues, visible: readonly boolean[]): Record<string, unknown> {
    for (const { key, question, isResult } of this.#computed) {
      if (!isResult || (question >= 0 && visible[question] !== true)) delete values[key];
    }
    return values;
  }
}

function requireTime(cost: number): void {
  if (cost > MAX_COST) throw new NotCompilableError('expressions over large answers');
}
