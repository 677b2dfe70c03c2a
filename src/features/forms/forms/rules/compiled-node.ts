/** Compiles pages, panels and questions to conditions and checks on the answers. */

import { isEmptyAnswer, isObject, Part } from './definition.ts';
import type { AnswerRule } from './elements/element-type.ts';
import { elementTypeOf, itemsOf } from './elements/index.ts';
import type { Condition, ExpressionValues } from './expressions.ts';
import { customFault, type Fault, type FoundFault, fault } from './fault.ts';
import type { FormExpressions } from './form-expressions.ts';
import { isComputed, type Outline, type OutlineNode } from './outline.ts';
import { compileValidators } from './validators.ts';

/** A page, panel or question. Conditions are usually missing and then cost nothing. */
export interface CompiledNode extends OutlineNode {
  /** `visibleIf` overrides `visible`. Undefined: visible. */
  readonly isVisible: Condition | undefined;
  /** `enableIf` overrides `readOnly`. Undefined: can be answered. */
  readonly isReadOnly: Condition | undefined;
  readonly clear: ClearMoment;
  /** Adds a fault for each violated rule of a question; `value` is undefined if the answer is missing. */
  readonly check: AnswerCheck;
  /** Returns a fault if a page or panel requires an answer and has none. */
  readonly required: AnswerRule | undefined;
}

/** When the answer of a hidden question is dropped: before validation, after it, or never (`clearIfInvisible`). */
export type ClearMoment = 'onHidden' | 'onComplete' | 'none';

/** Adds each fault of an answer to `found`. */
type AnswerCheck = (value: unknown, values: ExpressionValues, found: FoundFault[]) => void;

const MISSING = fault('is required', 'required');
const NO_ANSWER = fault('needs at least one answer', 'requiredGroup');

const always: Condition = () => true;
const never: Condition = () => false;

/** Compiles an outline. @throws NotCompilableError for an expression that needs more than the answers. */
export function compileNodes({ form, nodes }: Outline, expressions: FormExpressions): CompiledNode[] {
  const isFormReadOnly = form.flag('readOnly') || form.text('mode') === 'display';
  return nodes.map((node) => {
    const { element, isQuestion } = node;
    const isDisabled = expressions.condition(element, 'enableIf', { isMet: (result) => result === false });
    return {
      ...node,
      isVisible:
        expressions.condition(element, 'visibleIf') ??
        (element.read('visible') === false ? never : undefined),
      isReadOnly: isFormReadOnly ? always : (isDisabled ?? (element.flag('readOnly') ? always : undefined)),
      // `ComputedValue` drops computed answers.
      clear: isComputed(element) ? 'none' : clearMoment(element, form),
      check: isQuestion ? compileCheck(element, expressions) : () => undefined,
      required: isQuestion ? undefined : requiredRule(element, expressions, NO_ANSWER),
    };
  });
}

/** The question's own setting, else the form's `clearInvisibleValues`, whose default is `onComplete`. */
function clearMoment(element: Part, form: Part): ClearMoment {
  const own = element.read('clearIfInvisible') ?? 'default';
  const clearing = own === 'default' ? form.read('clearInvisibleValues') : own;
  if (clearing === 'none' || clearing === false) return 'none';
  return clearing === 'onHidden' || clearing === 'onHiddenContainer' ? 'onHidden' : 'onComplete';
}

/** `requiredIf` overrides `isRequired`. */
function requiredRule(
  element: Part,
  expressions: FormExpressions,
  defaultFault: Fault,
): AnswerRule | undefined {
  const condition = expressions.condition(element, 'requiredIf');
  if (condition === undefined && !element.flag('isRequired')) return undefined;
  const violation = customFault(element, 'requiredErrorText') ?? defaultFault;
  return (value, values) => (isEmptyAnswer(value) && (condition?.(values) ?? true) ? violation : null);
}

/** Faults of items are listed before those of the whole answer. */
function compileCheck(element: Part, expressions: FormExpressions): AnswerCheck {
  const own = compileOwnCheck(element, element.name, expressions);
  const items = itemsOf(element).map((item) => ({
    name: item.name,
    check: compileOwnCheck(item, `${element.name}.${item.name}`, expressions),
  }));
  if (items.length === 0) return own;
  return (value, values, found) => {
    const parts = new Part(isObject(value) ? value : {});
    for (const { name, check } of items) check(parts.read(name), values, found);
    own(value, values, found);
  };
}

/**
 * Compiles the rules that apply while a question is visible and editable. Order and emptiness follow survey-core:
 * validators run only if everything else is valid, and an expression validator also runs for a missing answer.
 */
function compileOwnCheck(element: Part, field: string, expressions: FormExpressions): AnswerCheck {
  const required = isComputed(element) ? undefined : requiredRule(element, expressions, MISSING);
  const rules = elementTypeOf(element).compileRules?.(element, expressions) ?? [];
  const basic = required === undefined ? rules : [required, ...rules];
  const validators = compileValidators(element, expressions);
  return (value, values, found) => {
    const before = found.length;
    for (const group of [basic, validators]) {
      if (found.length > before) return;
      for (const rule of group) {
        const violation = rule(value, values);
        if (violation !== null) found.push({ field, fault: violation });
      }
    }
  };
}
