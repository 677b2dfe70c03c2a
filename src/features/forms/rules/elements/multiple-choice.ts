import { isEmptyAnswer, type Part } from '../definition.ts';
import { findCountFault } from './bounds.ts';
import {
  type ChoiceSet,
  compileChoiceRules,
  compileChoices,
  compileEntry,
  elementsInChoices,
  exclusiveChoices,
  findChoicesObstacle,
  scalarKey,
  shownInChoices,
} from './choices.ts';
import type { AnswerRule, ElementType } from './element-type.ts';
import type { AnswerShape, ShapeContext } from './shapes.ts';

/** Selections of one answer; keeps comparisons of two lists in expressions affordable. */
const MAX_SELECTIONS = 1000;

/** Several choices, as a list: `tagbox`, `ranking`. */
export const severalChoices: ElementType = {
  findObstacle: findChoicesObstacle,
  compileShape: selectionShape,
  compileRules: (element, expressions) => [...compileChoiceRules(element, expressions), countRule(element)],
};

/** Several choices, which may hold elements. */
export const checkbox: ElementType = { ...severalChoices, inChoices: elementsInChoices, shownInChoices };

/** A list without repetitions; `none` and the like stand alone. */
export function selectionShape(element: Part, { form }: ShapeContext): AnswerShape {
  const choices = compileChoices(element, form);
  const choiceIn = compileEntry(element, form, element.text('valuePropertyName'));
  return (value, field, found) => {
    if (!Array.isArray(value)) return found.add(field, 'must be a list of choices');
    if (value.length > MAX_SELECTIONS) return found.add(field, `must have at most ${MAX_SELECTIONS} entries`);
    const seen = new Set<string>();
    for (const [index, entry] of value.entries()) {
      const at = `${field}[${index}]`;
      const fault = findChoiceFault(choiceIn(entry, at, found), choices, seen, value.length);
      if (fault !== null) found.add(at, fault);
    }
  };
}

/** What is wrong with one of so many choices, null when nothing; `seen` are the keys of those before it. */
function findChoiceFault(
  choice: unknown,
  choices: ChoiceSet,
  seen: Set<string>,
  count: number,
): string | null {
  if (typeof choice === 'object' || isEmptyAnswer(choice)) return 'must be a single value';
  if (!choices.has(choice)) return 'must be one of the choices';
  const key = scalarKey(choice);
  if (seen.has(key)) return 'is repeated';
  seen.add(key);
  return count > 1 && choices.isExclusive(choice) ? 'cannot be combined with other choices' : null;
}

/** Between `minSelectedChoices` and `maxSelectedChoices`; a choice that stands alone is enough. */
function countRule(element: Part): AnswerRule {
  const bounds = { min: element.positive('minSelectedChoices'), max: element.positive('maxSelectedChoices') };
  const exclusive = exclusiveChoices(element);
  return (value) => {
    const chosen = Array.isArray(value) ? value : [];
    const isAlone = chosen.length === 1 && exclusive.has(scalarKey(chosen[0]));
    return isAlone ? null : findCountFault(chosen.length, bounds, 'choices');
  };
}
