import { isObject, type JsonObject, Part } from './definition.ts';

/**
 * Properties that the server's model must not have: URLs to fetch from or send to, a start page (which validation
 * skips), and everything that fills in answers, because the browser has already sent those.
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

/** A definition that is safe to build on a server. */
export interface ModelDefinition {
  readonly json: unknown;
  /** True if only browsers know some choices: they are fetched, or loaded while scrolling. */
  readonly hasUnknownChoices: boolean;
}

/** Copies a definition without the properties that the server's model must not have. */
export function toModelDefinition(definition: JsonObject): ModelDefinition {
  let hasUnknownChoices = false;
  const pass = (key: string, value: unknown): unknown => {
    if (key === 'choicesByUrl' || (key === 'choicesLazyLoadEnabled' && value === true))
      hasUnknownChoices = true;
    if (DROPPED.has(key)) return undefined;
    // survey-core would run patterns as backtracking RegExp; shapes run them in linear time.
    return Array.isArray(value) ? value.filter((entry) => !isRegexValidator(entry)) : value;
  };
  // Only these triggers affect visibility; the others run while a browser fills in the form.
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
