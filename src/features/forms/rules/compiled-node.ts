/** Pages, panels and questions compiled into conditions and checks over the answers. */

import type { Issue } from '../../../errors/app-error.ts';
import { COMMENT_SUFFIX, isEmptyAnswer, isObject, Part } from './definition.ts';
import type { AnswerRule } from './elements/element-type.ts';
import { elementTypeOf, itemsOf } from './elements/index.ts';
import type { Condition, ExpressionValues } from './expressions.ts';
import type { FormExpressions } from './form-expressions.ts';
import { isComputed, type Outline, type OutlineNode } from './outline.ts';
import { compileValidators } from './validators.ts';

/** A page, panel or question. A condition that is absent is the usual case and costs nothing. */
export interface CompiledNode extends OutlineNode {
  readonly name: string;
  readonly key: string;
  readonly commentKey: string;
  /** `visibleIf` overrides `visible`. Absent: visible. */
  readonly isVisible: Condition | undefined;
  /** `enableIf` overrides `readOnly`. Absent: can be answered. */
  readonly isReadOnly: Condition | undefined;
  readonly clear: ClearMoment;
  readonly isComputed: boolean;
  /** Adds an issue per broken rule of a question; `value` is undefined when the answer is missing. */
  readonly check: AnswerCheck;
  /** Says that a page or panel needs an answer and has none. */
  readonly required: AnswerRule | undefined;
}

/** When the answer of a hidden question is dropped: before validation, after it, or never (`clearIfInvisible`). */
export type ClearMoment = 'onHidden' | 'onComplete' | 'none';

/** Notes each fault of an answer. */
type AnswerCheck = (value: unknown, values: ExpressionValues, issues: Issue[]) => void;

const always: Condition = () => true;
const never: Condition = () => false;

/** Compiles an outline; throws NotCompilableError on an expression that needs more than the answers. */
export function compileNodes({ form, nodes }: Outline, expressions: FormExpressions): CompiledNode[] {
  const isFormReadOnly = form.flag('readOnly') || form.text('mode') === 'display';
  return nodes.map((node) => {
    const { element, isQuestion } = node;
    const { name, key } = element;
    const condition = (property: string, holds?: (result: unknown) => boolean) =>
      expressions.condition(element, property, { holds });
    return {
      ...node,
      name,
      key,
      commentKey: `${key}${COMMENT_SUFFIX}`,
      isVisible: condition('visibleIf') ?? (element.read('visible') === false ? never : undefined),
      isReadOnly: isFormReadOnly
        ? always
        : (condition('enableIf', (result) => result === false) ??
          (element.flag('readOnly') ? always : undefined)),
      clear: clearMoment(element, form),
      isComputed: isQuestion && isComputed(element),
      check: isQuestion ? compileCheck(element, expressions) : () => undefined,
      required: isQuestion ? undefined : requiredRule(element, expressions, 'needs at least one answer'),
    };
  });
}

/** A question's own setting, else the form's `clearInvisibleValues`, which is `onComplete` by default. */
function clearMoment(element: Part, form: Part): ClearMoment {
  const own = element.read('clearIfInvisible') ?? 'default';
  const moment = own === 'default' ? form.read('clearInvisibleValues') : own;
  if (moment === 'none' || moment === false) return 'none';
  return moment === 'onHidden' || moment === 'onHiddenContainer' ? 'onHidden' : 'onComplete';
}

/** `requiredIf` overrides `isRequired`. */
function requiredRule(element: Part, expressions: FormExpressions, usual: string): AnswerRule | undefined {
  const condition = expressions.condition(element, 'requiredIf');
  if (condition === undefined && !element.flag('isRequired')) return undefined;
  const message = element.text('requiredErrorText') ?? usual;
  return (value, values) => (isEmptyAnswer(value) && (condition?.(values) ?? true) ? message : null);
}

/** Faults of the items of an answer come before those of the whole. */
function compileCheck(element: Part, expressions: FormExpressions): AnswerCheck {
  const own = compileOwnCheck(element, element.name, expressions);
  const items = itemsOf(element).map((item) => ({
    name: item.name,
    check: compileOwnCheck(item, `${element.name}.${item.name}`, expressions),
  }));
  if (items.length === 0) return own;
  return (value, values, issues) => {
    const parts = new Part(isObject(value) ? value : {});
    for (const { name, check } of items) check(parts.read(name), values, issues);
    own(value, values, issues);
  };
}

/**
 * What holds while a question is visible and can be edited. Order and emptiness follow survey-core: validators run only
 * when everything else holds, and an expression validator runs for a missing answer too.
 */
function compileOwnCheck(element: Part, field: string, expressions: FormExpressions): AnswerCheck {
  const { compileRules } = elementTypeOf(element);
  const required = isComputed(element) ? undefined : requiredRule(element, expressions, 'is required');
  const basic = [
    ...(required === undefined ? [] : [required]),
    ...(compileRules?.(element, expressions) ?? []),
  ];
  const validators = compileValidators(element, expressions);
  return (value, values, issues) => {
    const collect = (rules: readonly AnswerRule[]): boolean => {
      const before = issues.length;
      for (const rule of rules) {
        const message = rule(value, values);
        if (message !== null) issues.push({ field, message });
      }
      return issues.length > before;
    };
    if (!collect(basic)) collect(validators);
  };
}
