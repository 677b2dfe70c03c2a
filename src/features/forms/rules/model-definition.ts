import { isObject, type JsonObject, Part } from './definition.ts';

/**
 * What the server's model must not have: addresses to fetch or send to, regular expressions that backtrack (the shapes
 * run them in linear time), a start page, which validation of the whole leaves out, and everything that fills in answers,
 * since a browser has already sent those it wants.
 */
const DROPPED: ReadonlySet<string> = new Set([
  'choicesByUrl',
  'cookieName',
  'surveyId',
  'surveyPostId',
  'surveyShowDataSaving',
  'navigateToUrl',
  'navigateToUrlOnCondition',
  'firstPageIsStartPage',
  'firstPageIsStarted',
  'defaultValue',
  'defaultValueExpression',
  'defaultRowValue',
  'defaultPanelValue',
  'defaultValueFromLastRow',
  'defaultValueFromLastPanel',
  'copyDefaultValueFromLastEntry',
  'setValueIf',
  'setValueExpression',
  'resetValueIf',
  '__proto__',
]);

/** A definition as the full model may read it: safe to build on a server. The caller's own is left as it is. */
export function toModelDefinition(definition: JsonObject): JsonObject {
  // Only these triggers bear on what is visible; the others act while a browser fills in the form.
  const triggers = new Part(definition).parts('triggers').filter(({ type }) => type.startsWith('visible'));
  return { ...copyObject(definition), triggers: triggers.map(({ json }) => copyObject(json)) };
}

function copyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((entry) => !isRegexValidator(entry)).map(copyValue);
  return isObject(value) ? copyObject(value) : value;
}

function copyObject(object: JsonObject): JsonObject {
  const entries = Object.entries(object).filter(([key]) => !DROPPED.has(key));
  return Object.fromEntries(entries.map(([key, value]): [string, unknown] => [key, copyValue(value)]));
}

function isRegexValidator(value: unknown): boolean {
  if (!isObject(value)) return false;
  const part = new Part(value);
  return part.type.startsWith('regex') && part.read('regex') !== undefined;
}

/** Whether any list of choices in a definition is known to browsers only: fetched, or loaded as one scrolls. */
export function hasUnknownChoices(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUnknownChoices);
  if (!isObject(value)) return false;
  const part = new Part(value);
  return (
    part.read('choicesByUrl') !== undefined ||
    part.flag('choicesLazyLoadEnabled') ||
    Object.values(value).some(hasUnknownChoices)
  );
}
