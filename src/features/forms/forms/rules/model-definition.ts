import { isObject, type JsonObject, Part } from './definition.ts';

/**
 * What the server's model must not have: addresses to fetch or send to, a start page, which validation of the whole leaves
 * out, and everything that fills in answers, since a browser has already sent those it wants.
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

/** A definition as the full model may read it: safe to build on a server. */
export interface ModelDefinition {
  readonly json: unknown;
  /** Whether any list of choices is known to browsers only: fetched, or loaded as one scrolls. */
  readonly hasUnknownChoices: boolean;
}

/** Copies a definition without what the server's model must not have. */
export function toModelDefinition(definition: JsonObject): ModelDefinition {
  let hasUnknownChoices = false;
  const pass = (key: string, value: unknown): unknown => {
    if (key === 'choicesByUrl' || (key === 'choicesLazyLoadEnabled' && value === true))
      hasUnknownChoices = true;
    if (DROPPED.has(key)) return undefined;
    // survey-core would run patterns as backtracking RegExp; the shapes run them in linear time.
    return Array.isArray(value) ? value.filter((entry) => !isRegexValidator(entry)) : value;
  };
  // Only these triggers bear on what is visible; the others act while a browser fills in the form.
  const triggers = new Part(definition).parts('triggers').filter(({ type }) => type.startsWith('visible'));
  const json: unknown = JSON.parse(
    JSON.stringify({ ...definition, triggers: triggers.map((trigger) => trigger.json) }, pass),
  );
  return { json, hasUnknownChoices };
}

function isRegexValidator(value: unknown): boolean {
  if (!isObject(value)) return false;
  const part = new Part(value);
  return part.type.startsWith('regex') && part.read('regex') !== undefined;
}
