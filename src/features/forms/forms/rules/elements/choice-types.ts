/** Element types with one or several choices as the answer. */

import { isEmptyAnswer, type Part } from '../definition.ts';
import { type Fault, fault } from '../fault.ts';
import {
  compileChoiceRules,
  compileChoices,
  compileEntry,
  elementsInChoices,
  exclusiveChoices,
  findChoicesObstacle,
  NOT_OFFERED,
  scalarKey,
  shownInChoices,
} from './choices.ts';
import type { AnswerRule, ElementType } from './element-type.ts';
import { type AnswerShape, findCountFault, findLengthFault, type ShapeContext, scalar } from './shapes.ts';

/** Maximum selections per answer, which limits the cost of comparing two lists in expressions. */
const MAX_SELECTIONS = 1000;

/** One of several choices. */
export const buttongroup: ElementType = {
  findObstacle: findChoicesObstacle,
  compileShape: (element, context) => choiceShape(element, context),
  compileRules: compileChoiceRules,
};

/** One of several choices, which may contain elements. */
export const radiogroup: ElementType = { ...buttongroup, inChoices: elementsInChoices, shownInChoices };

/** One of several choices, or a number from `choicesMin` to `choicesMax` by `choicesStep`. */
export const dropdown: ElementType = {
  ...buttongroup,
  compileShape(element, context) {
    const min = element.number('choicesMin') ?? 0;
    const max = element.number('choicesMax') ?? 0;
    const step = element.number('choicesStep') || 1;
    if (max <= min) return choiceShape(element, context);
    return choiceShape(element, context, (value) => {
      const key = scalarKey(value);
      const number = Number(key);
      return number >= min && number <= max && (number - min) % step === 0 && String(number) === key;
    });
  },
};

/** Several choices, as a list. */
export const severalChoices: ElementType = {
  findObstacle: findChoicesObstacle,
  compileShape: limitedSelectionShape,
  compileRules: (element, expressions) => [...compileChoiceRules(element, expressions), minimumRule(element)],
};

/** Choices in order. Without `selectToRankEnabled` all of them are always ranked, so a maximum has no effect. */
export const ranking: ElementType = {
  ...severalChoices,
  compileShape: (element, context) =>
    element.flag('selectToRankEnabled')
      ? limitedSelectionShape(element, context)
      : selectionShape(element, context),
};

/** Several choices, which may contain elements. */
export const checkbox: ElementType = { ...severalChoices, inChoices: elementsInChoices, shownInChoices };

/** One of several pictures, or several with `multiSelect`. */
export const imagepicker: ElementType = {
  ...buttongroup,
  compileShape: (element, context) =>
    element.flag('multiSelect') ? selectionShape(element, context) : choiceShape(element, context),
};

/** Several areas of a picture, or one without `multiSelect`. */
export const imagemap: ElementType = {
  compileShape(element, context) {
    const map =
      element.list('choices').length > 0 ? element : element.with({ choices: element.read('areas') });
    return element.read('multiSelect') === false ? choiceShape(map, context) : selectionShape(map, context);
  },
};

/** Accepts a choice of the element, or another value that `isOffered` accepts. */
function choiceShape(
  element: Part,
  { form }: ShapeContext,
  isOffered: (value: unknown) => boolean = () => false,
): AnswerShape {
  const choices = compileChoices(element, form);
  const shape = scalar((value) =>
    choices.has(value) || isOffered(value) ? findLengthFault(value) : NOT_OFFERED,
  );
  const choiceIn = compileEntry(element, form);
  return (value, field, found) => shape(choiceIn(value, field, found), field, found);
}

/** Accepts a list without duplicates; exclusive choices such as `none` must be alone. */
function selectionShape(element: Part, { form }: ShapeContext): AnswerShape {
  const choices = compileChoices(element, form);
  const choiceIn = compileEntry(element, form, element.text('valuePropertyName'));
  const findFault = (choice: unknown, seen: Set<string>, count: number): Fault | null => {
    if (typeof choice === 'object' || isEmptyAnswer(choice))
      return fault('must be a single value', 'malformed');
    if (!choices.has(choice)) return NOT_OFFERED;
    const key = scalarKey(choice);
    if (seen.has(key)) return fault('is repeated', 'repeated');
    seen.add(key);
    return count > 1 && choices.isExclusive(choice)
      ? fault('cannot be combined with other choices', 'exclusive')
      : null;
  };
  return (value, field, found) => {
    if (!Array.isArray(value)) return found.add(field, fault('must be a list of choices', 'malformed'));
    const tooMany = findCountFault(value.length, { max: MAX_SELECTIONS }, 'entries');
    if (tooMany !== null) return found.add(field, tooMany);
    const seen = new Set<string>();
    for (const [index, entry] of value.entries()) {
      const at = `${field}[${index}]`;
      const violation = findFault(choiceIn(entry, at, found), seen, value.length);
      if (violation !== null) found.add(at, violation);
    }
  };
}

/** Accepts a list as `selectionShape` does, within `maxSelectedChoices`, which survey-core's model does not check. */
function limitedSelectionShape(element: Part, context: ShapeContext): AnswerShape {
  const shape = selectionShape(element, context);
  const max = element.positive('maxSelectedChoices');
  return (value, field, found) => {
    const tooMany = Array.isArray(value) ? findCountFault(value.length, { max }, 'choices') : null;
    if (tooMany === null) shape(value, field, found);
    else found.add(field, tooMany);
  };
}

/** Checks `minSelectedChoices`; an exclusive choice is always enough. */
function minimumRule(element: Part): AnswerRule {
  const min = element.positive('minSelectedChoices');
  const exclusive = exclusiveChoices(element);
  return (value) => {
    const chosen = Array.isArray(value) ? value : [];
    const isAlone = chosen.length === 1 && exclusive.has(scalarKey(chosen[0]));
    return isAlone ? null : findCountFault(chosen.length, { min }, 'choices');
  };
}
