import type { AnswerRule } from './answer-rule.ts';
import { exclusiveChoices, OTHER_VALUE, scalarKey } from './choice-set.ts';
import {
  answerKey,
  COMMENT_SUFFIX,
  elementType,
  isEmptyAnswer,
  isObject,
  itemValue,
  type JsonObject,
  readFlag,
  readList,
  readNumber,
  readText,
} from './definition.ts';
import { type ExpressionValues, isTrueLoosely, mustCompile } from './expressions.ts';
import { NotCompilableError } from './not-compilable-error.ts';

/** Numbers of choices, choices under a condition, and the text of `other`. */
export function compileSelectionRules(element: JsonObject, known: ReadonlySet<string>): AnswerRule[] {
  const rules = [...choiceConditionRules(element, known), ...otherRules(element)];
  if (!['checkbox', 'tagbox', 'ranking'].includes(elementType(element))) return rules;
  const min = readNumber(element, 'minSelectedChoices') ?? 0;
  const max = readNumber(element, 'maxSelectedChoices') ?? 0;
  const exclusive = exclusiveChoices(element, readList(element, 'choices'));
  if (min > 0) {
    rules.push((value) => {
      const chosen = Array.isArray(value) ? value : [];
      const isExclusive = chosen.length === 1 && exclusive.has(scalarKey(chosen[0]));
      return chosen.length < min && !isExclusive ? `must have at least ${min} choices` : null;
    });
  }
  if (max > 0) {
    rules.push((value) =>
      Array.isArray(value) && value.length > max ? `must have at most ${max} choices` : null,
    );
  }
  return rules;
}

/** Choices shown only under a condition are no choices while it fails. A disabled choice may still be chosen. */
function choiceConditionRules(element: JsonObject, known: ReadonlySet<string>): AnswerRule[] {
  const common = itemCondition(element, 'choicesVisibleIf', known);
  const own = new Map<string, (values: ExpressionValues) => boolean>();
  const listed = new Set<string>();
  for (const choice of readList(element, 'choices')) {
    listed.add(scalarKey(itemValue(choice)));
    const condition = isObject(choice) ? itemCondition(choice, 'visibleIf', known) : undefined;
    if (condition !== undefined) own.set(scalarKey(itemValue(choice)), condition);
  }
  if (common === undefined && own.size === 0) return [];
  const isShown = (choice: unknown, values: ExpressionValues): boolean => {
    const key = scalarKey(choice);
    const condition = listed.has(key) ? (own.get(key) ?? common) : undefined;
    if (condition === undefined) return true;
    values.item = choice;
    const shown = condition(values);
    delete values.item;
    return shown;
  };
  return [
    (value, values) => {
      const chosen = Array.isArray(value) ? value : isEmptyAnswer(value) ? [] : [value];
      return chosen.every((choice) => isShown(choice, values)) ? null : 'must be one of the choices';
    },
  ];
}

/** `other` needs its text, which the answers hold under `<name>-Comment`; see compileChoices for the exception. */
function otherRules(element: JsonObject): AnswerRule[] {
  if (!readFlag(element, 'showOtherItem', 'hasOther')) return [];
  const key = `${answerKey(element)}${COMMENT_SUFFIX}`;
  return [
    (value, values) => {
      const isOther = Array.isArray(value) ? value.includes(OTHER_VALUE) : value === OTHER_VALUE;
      const message = readText(element, 'otherErrorText') ?? 'needs the text of the other choice';
      return isOther && isEmptyAnswer(values[key]) ? message : null;
    },
  ];
}

/** A choice's condition sees the choice as `{item}`, so no question may have that name. */
function itemCondition(
  owner: JsonObject,
  property: string,
  known: ReadonlySet<string>,
): ((values: ExpressionValues) => boolean) | undefined {
  const text = readText(owner, property);
  if (text === undefined) return undefined;
  if (known.has('item')) throw new NotCompilableError('a question is named "item"');
  const expression = mustCompile(text, new Set(known).add('item'));
  return (values) => isTrueLoosely(expression(values));
}
