import { settings } from 'survey-core';
import {
  elementType,
  isObject,
  itemValue,
  type JsonObject,
  read,
  readFlag,
  readList,
  readNumber,
  readText,
} from './definition.ts';

/** The values a choice question offers. */
export interface ChoiceSet {
  /** Whether a value is offered at all; conditions on choices are checked elsewhere. */
  has(value: unknown): boolean;
  /** Whether a value excludes all others (`none` and its like). */
  isExclusive(value: unknown): boolean;
}

/** The value that stands for an entered text. */
export const OTHER_VALUE = 'other';

/**
 * The choices of an element. Open when they are read from an address (`choicesByUrl`: by a page of the caller's own,
 * never by the server or the embedded page), copied from another question, loaded lazily, or when entries of one's own are allowed.
 */
export function compileChoices(
  element: JsonObject,
  form: JsonObject,
  fallback: readonly unknown[] = [],
): ChoiceSet {
  const listed = readList(element, 'choices');
  const choices = listed.length > 0 ? listed : fallback;
  const values = new Set(choices.map((choice) => scalarKey(itemValue(choice))));
  const exclusive = exclusiveChoices(element, choices);
  const other = readFlag(element, 'showOtherItem', 'hasOther');
  const otherInValue = other && !storesOtherAsComment(element, form);
  if (other) values.add(OTHER_VALUE);
  const isOpen = otherInValue || areChoicesUnknown(element);
  const isInRange = compileRange(element);
  return {
    has: (value) =>
      isOpen || values.has(scalarKey(value)) || exclusive.has(scalarKey(value)) || isInRange(value),
    isExclusive: (value) => exclusive.has(scalarKey(value)),
  };
}

/** The keys of the choices that stand alone: "none" and its like, and those that say so. */
export function exclusiveChoices(element: JsonObject, choices: readonly unknown[]): ReadonlySet<string> {
  const exclusive = new Set<string>();
  const special: [string, string, string][] = [
    ['showNoneItem', 'hasNone', settings.noneItemValue],
    ['showRefuseItem', 'hasRefuse', settings.refuseItemValue],
    ['showDontKnowItem', 'hasDontKnow', settings.dontKnowItemValue],
  ];
  for (const [property, older, value] of special) {
    if (readFlag(element, property, older)) exclusive.add(scalarKey(value));
  }
  for (const choice of choices) {
    if (isObject(choice) && readFlag(choice, 'isExclusive')) exclusive.add(scalarKey(itemValue(choice)));
  }
  return exclusive;
}

/** The numbers that a dropdown offers beside its list: from `choicesMin` to `choicesMax` by `choicesStep`. */
function compileRange(element: JsonObject): (value: unknown) => boolean {
  const min = readNumber(element, 'choicesMin') ?? 0;
  const max = readNumber(element, 'choicesMax') ?? 0;
  const step = readNumber(element, 'choicesStep') || 1;
  if (elementType(element) !== 'dropdown' || max <= min) return () => false;
  return (value) => {
    const number = Number(scalarKey(value));
    return (
      number >= min && number <= max && (number - min) % step === 0 && String(number) === scalarKey(value)
    );
  };
}

/** Whether what is offered is decided outside of the definition's own list. */
function areChoicesUnknown(element: JsonObject): boolean {
  const byUrl = read(element, 'choicesByUrl');
  return (
    (typeof byUrl === 'object' && byUrl !== null && readText({ ...byUrl }, 'url') !== undefined) ||
    readText(element, 'choicesFromQuestion') !== undefined ||
    readFlag(element, 'choicesLazyLoadEnabled') ||
    readFlag(element, 'allowCustomChoices')
  );
}

/** With a comment box of its own, or when told so, the text of `other` is the answer itself. */
function storesOtherAsComment(element: JsonObject, form: JsonObject): boolean {
  if (readFlag(element, 'showCommentArea', 'hasComment')) return false;
  const own = read(element, 'storeOthersAsComment');
  if (own === true || own === false) return own;
  return read(form, 'storeOthersAsComment') !== false;
}

/** survey-core compares choices by their text: 1 and "1" are one choice. */
export function scalarKey(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}
