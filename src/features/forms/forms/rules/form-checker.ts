/**
 * Compiles a form version to rules, which check a submission without building a SurveyJS model (2 to 10 ms each).
 * Independent of HTTP and the database. Other forms use `full-model.ts`.
 */

import { type Issue, MAX_ISSUES } from '../../../../errors/app-error.ts';
import { PatternMatches } from '../../../../patterns/pattern-matches.ts';
import { type ClearMoment, type CompiledNode, compileNodes } from './compiled-node.ts';
import { type ComputedValue, compileComputedValues, computeInto } from './computed-values.ts';
import type { FormDefinition } from './definition.ts';
import { elementTypeOf, itemsOf } from './elements/index.ts';
import { type ExpressionValues, NotCompilableError } from './expressions.ts';
import { type FoundFault, toIssue } from './fault.ts';
import { FormExpressions } from './form-expressions.ts';
import { compileIntake, type Intake } from './intake.ts';
import { compileSkippedPages, type SkippedPages } from './navigation.ts';
import { type Outline, outlineForm } from './outline.ts';

/**
 * Result of checking a submission. `answers` are the caller's, without empty ones and those of hidden questions
 * (unless the form keeps them: `clearIfInvisible: none`), with computed values added.
 */
export type CheckResult = { ok: true; answers: Record<string, unknown> } | { ok: false; issues: Issue[] };

/**
 * Compiles a definition that has passed `checkDefinition`.
 * @throws NotCompilableError with the first reason if only survey-core's full model can check it (matrices, repeated
 * panels, files, expressions on the survey's state).
 */
export function compileForm(definition: FormDefinition): FormChecker {
  const outline = outlineForm(definition);
  requireCompilable(outline);
  return new FormChecker(outline);
}

function requireCompilable({ form, questions }: Outline): void {
  if (form.parts('triggers').some(({ type }) => type.startsWith('visible')))
    throw new NotCompilableError('a visible trigger');
  for (const { element } of questions) {
    for (const part of [element, ...itemsOf(element)]) {
      const { findObstacle = () => `type ${part.type}` } = elementTypeOf(part);
      const obstacle = part.read('bindings') === undefined ? findObstacle(part) : 'bindings';
      if (obstacle !== null) throw new NotCompilableError(`${obstacle} in "${element.name}"`);
    }
  }
  // Expressions find values case-insensitively; two with the same name would depend on survey-core's order of search.
  const computed = form.parts('calculatedValues').map(({ name }) => name);
  const names = [...questions.map(({ key }) => key), ...computed];
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    throw new NotCompilableError('two values of one name');
}

/** At most 0.25 s; more expensive answers use the full model, which has a thread and a deadline. */
const MAX_COST = 5_000_000;
/** Limits chains of conditions when hiding clears answers; they are rarely longer than three. */
const MAX_ROUNDS = 10;
const NONE: readonly FoundFault[] = [];

/** Returns a rejection with the first faults, up to the maximum number of issues. */
export function refuse(faults: readonly FoundFault[], locale: string | undefined): CheckResult {
  return { ok: false, issues: faults.slice(0, MAX_ISSUES).map((found) => toIssue(found, locale)) };
}

/** One flag per node of the outline. */
type Flags = readonly boolean[];

/** Checks submissions against one version of a form. It has no state, so it can be shared. */
export class FormChecker {
  readonly #intake: (answers: unknown, patterns: PatternMatches) => Intake;
  readonly #expressions: FormExpressions;
  readonly #computed: readonly ComputedValue[];
  readonly #nodes: readonly CompiledNode[];
  readonly #questions: readonly CompiledNode[];
  readonly #requiring: readonly CompiledNode[];
  readonly #skipped: SkippedPages;
  readonly #dropsEarly: boolean;

  /** @throws NotCompilableError for an expression that needs more than the answers. */
  constructor(outline: Outline) {
    this.#expressions = new FormExpressions(outline);
    this.#intake = compileIntake(outline);
    this.#computed = compileComputedValues(outline, this.#expressions);
    this.#nodes = compileNodes(outline, this.#expressions);
    this.#questions = this.#nodes.filter(({ isQuestion }) => isQuestion);
    this.#requiring = this.#nodes.filter(({ required }) => required !== undefined);
    this.#skipped = compileSkippedPages(outline, this.#expressions);
    this.#dropsEarly = this.#questions.some(({ clear }) => clear === 'onHidden');
  }

  /**
   * Checks any `answers`. `field` of an issue is the question's name (`panel[0].question`); its message is in the
   * language of `locale`, otherwise English. While `patterns` has pending matches the result is
   * meaningless.
   * @throws NotCompilableError if the form's expressions would take too long on these answers.
   */
  check(
    answers: Record<string, unknown>,
    locale?: string,
    patterns = new PatternMatches({ collects: false }),
  ): CheckResult {
    const { values, faults, malformed } = this.#intake(answers, patterns);
    if (patterns.isPending) return refuse([], locale);
    // A fault without a field refuses the answers as a whole; others are reported together with those found later.
    if (faults.some(({ field }) => field === undefined)) return refuse(faults, locale);
    const visible = this.#computeVisibility(values);
    this.#findFaults(values, visible, malformed, faults);
    if (faults.length > 0) return refuse(faults, locale);
    this.#drop(values, visible, ['onHidden', 'onComplete']);
    for (const { key, question, isResult } of this.#computed)
      if (!isResult || (question !== undefined && !visible[question])) delete values[key];
    return { ok: true, answers: values };
  }

  /**
   * Computes values and visibility (of each node and everything around it), and drops answers that the form clears on
   * hiding, until nothing more is hidden. Each round may cost as much as the first.
   */
  #computeVisibility(values: ExpressionValues): Flags {
    const cost = this.#expressions.estimateCost(values);
    for (let round = 1; ; round += 1) {
      if (cost * round > MAX_COST) throw new NotCompilableError('expressions over large answers');
      computeInto(values, this.#computed);
      const visible: boolean[] = [];
      for (const { within, isVisible } of this.#nodes)
        visible.push(visible[within.at(-1) ?? -1] !== false && isVisible?.(values) !== false);
      const isFinal = !this.#dropsEarly || round > MAX_ROUNDS;
      if (isFinal || !this.#drop(values, visible, ['onHidden'])) return visible;
    }
  }

  /**
   * Drops the answers of hidden questions that are cleared at `moments`; returns true if there were any. Visibility is
   * not recomputed, because survey-core does not do so on completion either.
   */
  #drop(values: ExpressionValues, visible: Flags, moments: readonly ClearMoment[]): boolean {
    const dropped = this.#questions.filter(
      ({ at, key, clear }) => !visible[at] && values[key] !== undefined && moments.includes(clear),
    );
    for (const { key, commentKey } of dropped) {
      delete values[key];
      delete values[commentKey];
    }
    return dropped.length > 0;
  }

  #findFaults(
    values: ExpressionValues,
    visible: Flags,
    malformed: ReadonlyMap<string, FoundFault[]>,
    faults: FoundFault[],
  ): void {
    const skipped = this.#skipped(values);
    const readOnly: boolean[] = [];
    for (const node of this.#nodes) {
      // Rules do not apply to a read-only question, or one in a read-only panel, because it cannot be answered.
      const isReadOnly = readOnly[node.within.at(-1) ?? -1] === true || node.isReadOnly?.(values) === true;
      readOnly.push(isReadOnly);
      if (!node.isQuestion || !visible[node.at]) continue;
      faults.push(...(malformed.get(node.key) ?? NONE), ...(malformed.get(node.commentKey) ?? NONE));
      if (malformed.has(node.key) || isReadOnly) continue;
      const value = values[node.key];
      if (value !== undefined || !skipped.has(node.page)) node.check(value, values, faults);
    }
    for (const node of this.#requiring) {
      const inside = this.#questions.filter(({ at, within }) => visible[at] && within.includes(node.at));
      const isAnswered = inside.some(({ key }) => values[key] !== undefined || malformed.has(key));
      if (inside.length === 0 || isAnswered || skipped.has(node.page)) continue;
      const fault = node.required?.(undefined, values) ?? null;
      if (fault !== null) faults.push({ field: node.name, fault });
    }
  }
}
