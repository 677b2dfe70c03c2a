/** Choices of a question and their conditions, for questions with one and with several selections. */

import { type Question, QuestionCheckboxModel, QuestionRadiogroupModel, settings } from 'survey-core';
import { COMMENT_SUFFIX, isEmptyAnswer, isObject, itemValue, Part } from '../definition.ts';
import type { ExpressionCompiler } from '../expression-compiler.ts';
import { type Condition, type ExpressionValues, isTrueLoosely } from '../expressions.ts';
import { customFault, fault } from '../fault.ts';
import type { AnswerRule } from './element-type.ts';
import { commentShape, type Findings } from './shapes.ts';

/** The values that a question offers. */
export interface ChoiceSet {
  /** Returns true if a value is offered, ignoring conditions. */
  has(value: unknown): boolean;
  /** Returns true if a value excludes all others, such as `none`. */
  isExclusive(value: unknown): boolean;
}

/** Fault of an answer that is not a choice, or not currently. */
export const NOT_OFFERED = fault('must be one of the choices', 'notOffered');

/** Value that stands for an entered text. */
const OTHER_VALUE = 'other';

/** survey-core compares choices as texts: 1 and "1" are the same. */
export function scalarKey(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}

/** Returns why compiled rules cannot check a question with choices, or null. */
export function findChoicesObstacle(element: Part): string | null {
  // In expressions survey-core finds a question by its `valueName`, but some of its properties by name.
  if (element.key !== element.name && element.read('choicesByUrl') !== undefined)
    return 'valueName with choicesByUrl';
  if (element.parts('choices').some((choice) => choice.list('elements').length > 0 || hasCommentBox(choice)))
    return 'a choice with its own elements';
  const properties = ['choicesFromQuestion', 'valuePropertyName', 'hideIfChoicesEmpty'];
  return properties.find((name) => (element.read(name) ?? false) !== false) ?? null;
}

/** Returns the choices of an element. If they come from outside the definition, any value is accepted. */
export function compileChoices(element: Part, form: Part): ChoiceSet {
  const values = new Set(element.list('choices').map((choice) => scalarKey(itemValue(choice))));
  const exclusive = exclusiveChoices(element);
  const hasOther = offersOther(element);
  if (hasOther) values.add(OTHER_VALUE);
  const isOpen = areChoicesUnknown(element) || (hasOther && !storesOtherAsComment(element, form));
  const isExclusive = (value: unknown) => exclusive.has(scalarKey(value));
  return {
    has: (value) => isOpen || values.has(scalarKey(value)) || isExclusive(value),
    isExclusive,
  };
}

/** Returns the keys of exclusive choices: `none` and similar ones, and those with the flag. */
export function exclusiveChoices(element: Part): ReadonlySet<string> {
  const exclusive = element.parts('choices').filter((choice) => choice.flag('isExclusive'));
  const keys = new Set(exclusive.map((choice) => scalarKey(itemValue(choice.json))));
  if (element.flag('showNoneItem', 'hasNone')) keys.add(settings.noneItemValue);
  if (element.flag('showRefuseItem', 'hasRefuse')) keys.add(settings.refuseItemValue);
  if (element.flag('showDontKnowItem', 'hasDontKnow')) keys.add(settings.dontKnowItemValue);
  return keys;
}

/**
 * Returns true if choices come from a URL (`choicesByUrl`, which only a caller's own page loads, never the server or
 * the embedded page), from another question or are loaded lazily, or if custom entries are allowed.
 */
function areChoicesUnknown(element: Part): boolean {
  const byUrl = element.read('choicesByUrl');
  return (
    (isObject(byUrl) && new Part(byUrl).text('url') !== undefined) ||
    element.text('choicesFromQuestion') !== undefined ||
    element.flag('choicesLazyLoadEnabled') ||
    element.flag('allowCustomChoices')
  );
}

function offersOther(element: Part): boolean {
  return element.flag('showOtherItem', 'hasOther');
}

/** Returns true if the text of `other` is stored as a comment. Otherwise it is the answer itself. */
function storesOtherAsComment(element: Part, form: Part): boolean {
  if (element.flag('showCommentArea', 'hasComment')) return false;
  const own = element.read('storeOthersAsComment');
  return typeof own === 'boolean' ? own : form.read('storeOthersAsComment') !== false;
}

function hasCommentBox(choice: Part): boolean {
  return choice.flag('showCommentArea');
}

/**
 * Returns a reader for the choice in an entry. An entry can be `{value, comment}` if a choice other than `other` has a
 * comment box, and an object with the choice in its own property with `valuePropertyName`.
 */
export function compileEntry(element: Part, form: Part, valueProperty?: string) {
  const comment = commentShape(form);
  const hasBoxes = valueProperty === undefined && element.parts('choices').some(hasCommentBox);
  const property = hasBoxes ? 'value' : valueProperty;
  return (entry: unknown, field: string, found: Findings): unknown => {
    if (!isObject(entry) || property === undefined) return entry;
    for (const [key, part] of hasBoxes ? Object.entries(entry) : []) {
      if (key === 'comment') comment(part, `${field}.comment`, found);
      else if (key !== 'value')
        found.add(`${field}.${key}`, fault('is not part of this question', 'unknownQuestion'));
    }
    return new Part(entry).read(property);
  };
}

/** Returns the elements that are shown while their choice is selected. */
export function elementsInChoices(element: Part): Part[] {
  return element.parts('choices').flatMap((choice) => choice.children);
}

/** Returns the questions of survey-core's model that are currently shown with a choice. */
export function shownInChoices(question: Question): Question[] {
  const holdsElements =
    question instanceof QuestionCheckboxModel || question instanceof QuestionRadiogroupModel;
  const choices = holdsElements ? question.visibleChoices.filter((choice) => choice.isPanelShowing) : [];
  return choices.flatMap((choice) => choice.panel.questions);
}

/** Compiles conditions on choices, and the rule for the text of `other`. */
export function compileChoiceRules(element: Part, expressions: ExpressionCompiler): AnswerRule[] {
  return [...conditionRules(element, expressions), ...otherRules(element)];
}

/** Conditional choices are invalid while their condition fails. A disabled choice may still be selected. */
function conditionRules(element: Part, expressions: ExpressionCompiler): AnswerRule[] {
  const ofChoice = { isMet: isTrueLoosely, isOfChoice: true };
  const common = expressions.condition(element, 'choicesVisibleIf', { ...ofChoice, times: 'perChoice' });
  const conditions = new Map<string, Condition>();
  for (const choice of element.list('choices')) {
    const own = isObject(choice) ? expressions.condition(new Part(choice), 'visibleIf', ofChoice) : undefined;
    const condition = own ?? common;
    if (condition !== undefined) conditions.set(scalarKey(itemValue(choice)), condition);
  }
  if (conditions.size === 0) return [];
  const isShown = (choice: unknown, values: ExpressionValues): boolean => {
    const condition = conditions.get(scalarKey(choice));
    if (condition === undefined) return true;
    values.item = choice;
    const shown = condition(values);
    delete values.item;
    return shown;
  };
  return [
    (value, values) => {
      const chosen = Array.isArray(value) ? value : isEmptyAnswer(value) ? [] : [value];
      return chosen.every((choice) => isShown(choice, values)) ? null : NOT_OFFERED;
    },
  ];
}

/** `other` requires its text, which the answers contain as `<name>-Comment` unless it is the answer itself. */
function otherRules(element: Part): AnswerRule[] {
  if (!offersOther(element)) return [];
  const key = `${element.key}${COMMENT_SUFFIX}`;
  const missing =
    customFault(element, 'otherErrorText') ?? fault('needs the text of the other choice', 'otherText');
  return [
    (value, values) => {
      const isOther = Array.isArray(value) ? value.includes(OTHER_VALUE) : value === OTHER_VALUE;
      return isOther && isEmptyAnswer(values[key]) ? missing : null;
    },
  ];
}
