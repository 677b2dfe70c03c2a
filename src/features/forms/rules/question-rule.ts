/** Pages, panels and questions compiled into conditions and checks over the answers. */

import type { Issue } from '../../../errors/app-error.ts';
import { type AnswerCheck, compileAnswerCheck } from './answer-rule.ts';
import {
  COMMENT_SUFFIX,
  elementName,
  type FormDefinition,
  isObject,
  type JsonObject,
  read,
  readFlag,
  readObjects,
  readText,
} from './definition.ts';
import { compileCondition, type ExpressionValues, mustCompile } from './expressions.ts';
import type { FormOutline, OutlineQuestion } from './form-outline.ts';

/** A condition over the answers; where it may be absent, absent is the usual case and costs nothing. */
type Condition = (values: ExpressionValues) => boolean;

/** A page or panel. Its index is that of the outline. */
export interface CompiledContainer {
  readonly name: string;
  readonly parent: number;
  readonly page: number;
  /** Absent: always visible. */
  readonly isVisible: Condition | undefined;
  /** Absent: never read-only by itself. */
  readonly isReadOnly: Condition | undefined;
  /** At least one visible question in it needs an answer. Absent: never. */
  readonly isRequired: Condition | undefined;
  readonly requiredMessage: string;
}

/** When the answer of a hidden question is dropped: before validation, after it, or never (`clearIfInvisible`). */
export type ClearMoment = 'onHidden' | 'onComplete' | 'none';

/** A question. Its index is that of the outline. */
export interface CompiledQuestion {
  readonly key: string;
  readonly commentKey: string;
  readonly container: number;
  readonly page: number;
  readonly clear: ClearMoment;
  /** An `expression` question: its value follows from the others. */
  readonly isComputed: boolean;
  readonly isVisible: Condition | undefined;
  readonly isReadOnly: Condition | undefined;
  /** Adds an issue per broken rule; `value` is undefined when the answer is missing. */
  readonly check: (value: unknown, values: ExpressionValues, issues: Issue[]) => void;
}

/** Compiles pages and panels; throws NotCompilableError on an expression that needs more than the answers. */
export function compileContainers(
  definition: FormDefinition,
  outline: FormOutline,
  known: ReadonlySet<string>,
): CompiledContainer[] {
  const isFormReadOnly = readFlag(definition, 'readOnly') || readText(definition, 'mode') === 'display';
  return outline.containers.map(({ element, parent, page }) => ({
    name: elementName(element),
    parent,
    page,
    isVisible: visibility(element, known),
    isReadOnly: isFormReadOnly ? () => true : readOnlyCondition(element, known),
    isRequired: requirement(element, known),
    requiredMessage: readText(element, 'requiredErrorText') ?? 'needs at least one answer',
  }));
}

/** Compiles questions; throws NotCompilableError on an expression that needs more than the answers. */
export function compileQuestions(
  definition: FormDefinition,
  outline: FormOutline,
  known: ReadonlySet<string>,
): CompiledQuestion[] {
  return outline.questions.map((question) => ({
    key: question.key,
    commentKey: `${question.key}${COMMENT_SUFFIX}`,
    container: question.container,
    page: question.page,
    clear: clearMoment(question.element, definition),
    isComputed: question.type === 'expression',
    isVisible: visibility(question.element, known),
    isReadOnly: readOnlyCondition(question.element, known),
    check: compileCheck(question, known),
  }));
}

/** `visibleIf` overrides `visible`. */
function visibility(element: JsonObject, known: ReadonlySet<string>): Condition | undefined {
  const condition = compileCondition(element, 'visibleIf', known);
  return condition ?? (read(element, 'visible') === false ? () => false : undefined);
}

/** `enableIf` overrides `readOnly`. */
function readOnlyCondition(element: JsonObject, known: ReadonlySet<string>): Condition | undefined {
  const text = readText(element, 'enableIf');
  if (text === undefined) return readFlag(element, 'readOnly') ? () => true : undefined;
  const expression = mustCompile(text, known);
  return (values) => expression(values) === false;
}

/** `requiredIf` overrides `isRequired`. */
function requirement(element: JsonObject, known: ReadonlySet<string>): Condition | undefined {
  const condition = compileCondition(element, 'requiredIf', known);
  return condition ?? (readFlag(element, 'isRequired') ? () => true : undefined);
}

/** A question's own setting, else the form's `clearInvisibleValues`, which is `onComplete` by default. */
function clearMoment(element: JsonObject, definition: FormDefinition): ClearMoment {
  const own = read(element, 'clearIfInvisible') ?? 'default';
  const moment = own === 'default' ? read(definition, 'clearInvisibleValues') : own;
  if (moment === 'none' || moment === false) return 'none';
  return moment === 'onHidden' || moment === 'onHiddenContainer' ? 'onHidden' : 'onComplete';
}

function compileCheck(question: OutlineQuestion, known: ReadonlySet<string>): CompiledQuestion['check'] {
  const { element, name, type } = question;
  const own = compileAnswerCheck(type === 'expression' ? { ...element, isRequired: false } : element, known);
  const items = type === 'multipletext' ? compileItems(element, known) : [];
  return (value, values, issues) => {
    for (const item of items) {
      const answer = isObject(value) ? read(value, item.name) : undefined;
      for (const message of item.check(answer, values))
        issues.push({ field: `${name}.${item.name}`, message });
    }
    for (const message of own(value, values)) issues.push({ field: name, message });
  };
}

/** The items of a multiple-text question are text questions of their own. */
function compileItems(
  element: JsonObject,
  known: ReadonlySet<string>,
): { name: string; check: AnswerCheck }[] {
  return readObjects(element, 'items').map((item) => ({
    name: elementName(item),
    check: compileAnswerCheck({ ...item, type: 'text' }, known),
  }));
}
