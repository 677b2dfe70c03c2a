import type { Part } from '../definition.ts';
import { findLengthFault } from './bounds.ts';
import {
  compileChoiceRules,
  compileChoices,
  compileEntry,
  elementsInChoices,
  findChoicesObstacle,
  scalarKey,
  shownInChoices,
} from './choices.ts';
import type { ElementType } from './element-type.ts';
import { type AnswerShape, type ShapeContext, scalar } from './shapes.ts';

/** One of several choices. */
export const buttongroup: ElementType = {
  findObstacle: findChoicesObstacle,
  compileShape: (element, context) => choiceShape(element, context),
  compileRules: compileChoiceRules,
};

/** One of several choices, which may hold elements. */
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

/** A choice of the element's, or another value that `isOffered` takes. */
export function choiceShape(
  element: Part,
  { form }: ShapeContext,
  isOffered: (value: unknown) => boolean = () => false,
): AnswerShape {
  const choices = compileChoices(element, form);
  const shape = scalar((value) =>
    choices.has(value) || isOffered(value) ? findLengthFault(value) : 'must be one of the choices',
  );
  const choiceIn = compileEntry(element, form);
  return (value, field, found) => shape(choiceIn(value, field, found), field, found);
}
