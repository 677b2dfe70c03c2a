/**
 * Reading a form definition (document 3, `formBuilderOptions`), which is the caller's JSON kept verbatim: every
 * property may be absent or of a wrong type, so it is only ever read through the functions here.
 */

/** An object that came out of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A form definition as stored: SurveyJS JSON of survey-core 2.5.38. */
export type FormDefinition = JsonObject;

/** True for an object of JSON: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first own property among `names` (a property and its older spellings). */
export function read(object: JsonObject, ...names: string[]): unknown {
  for (const name of names) {
    if (Object.hasOwn(object, name)) return object[name];
  }
  return undefined;
}

/** A property that is a non-empty string, else undefined. */
export function readText(object: JsonObject, ...names: string[]): string | undefined {
  const value = read(object, ...names);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A property that is a finite number, also when written as a numeric string, else undefined. */
export function readNumber(object: JsonObject, ...names: string[]): number | undefined {
  const value = read(object, ...names);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** True only for the JSON value `true`. */
export function readFlag(object: JsonObject, ...names: string[]): boolean {
  return read(object, ...names) === true;
}

/** The objects of an array property; anything else in it is left out. */
export function readObjects(object: JsonObject, ...names: string[]): JsonObject[] {
  const value = read(object, ...names);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The entries of an array property, empty when it is not an array. */
export function readList(object: JsonObject, ...names: string[]): readonly unknown[] {
  const value = read(object, ...names);
  return Array.isArray(value) ? value : [];
}

/** A name as survey-core uses it for the answer's key: trimmed, without braces and a leading `#`. */
export function effectiveName(name: string): string {
  return name.trim().replace(/[{}]+/g, '').replace(/^#+/, '');
}

/** The name of an element or column, as answers and expressions use it; empty when it has none. */
export function elementName(element: JsonObject): string {
  return effectiveName(readText(element, 'name') ?? '');
}

/** The key of an element's answer: its `valueName`, else its name. */
export function answerKey(element: JsonObject): string {
  return effectiveName(readText(element, 'valueName') ?? '') || elementName(element);
}

/** The type of an element in lower case, empty when it has none. */
export function elementType(element: JsonObject): string {
  return (readText(element, 'type') ?? '').toLowerCase();
}

/** The value of an entry of `choices`, `rows` or `rateValues`: a scalar, `{value, text}`, `{text}` or `value|text`. */
export function itemValue(item: unknown): unknown {
  if (typeof item === 'string') return item.split('|', 1)[0];
  if (!isObject(item)) return item;
  return read(item, 'value') ?? read(item, 'text');
}

/** Whether an answer counts as none (survey-core: null, blank text, an empty list, an object of nothing but such). */
export function isEmptyAnswer(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value === 'number') return Number.isNaN(value);
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.values(value).every(isEmptyAnswer);
  return false;
}

/** Whether an element holds other elements and no answer of its own. */
export function isPanel(element: JsonObject): boolean {
  return elementType(element) === 'panel';
}

/** The elements of a page or panel; `questions` is the older spelling. */
export function childElements(container: JsonObject): JsonObject[] {
  return readObjects(container, 'elements', 'questions');
}

/** Key suffix of the comment beside an answer (survey-core's `commentSuffix`). */
export const COMMENT_SUFFIX = '-Comment';

/** Key suffix of the totals beside a matrix's answer (survey-core's `totalsSuffix`). */
export const TOTAL_SUFFIX = '-total';
