/**
 * Reads form definitions (docs/specification/forms.md#form-definition). They are JSON from callers, stored unchanged:
 * any property may be missing or of a wrong type, so they are only read through `Part`.
 */

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A stored form definition: SurveyJS JSON of survey-core 2.5.38. */
export type FormDefinition = JsonObject;

/** Returns true for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * An object in a definition: the form, a page, an element, a choice, a validator. Its methods also accept older
 * spellings of properties.
 */
export class Part {
  readonly json: JsonObject;

  constructor(json: JsonObject) {
    this.json = json;
  }

  /** Returns the first own property among `names`. */
  read(...names: string[]): unknown {
    const name = names.find((one) => Object.hasOwn(this.json, one));
    return name === undefined ? undefined : this.json[name];
  }

  /** Returns a property that is a non-empty string, otherwise undefined. */
  text(...names: string[]): string | undefined {
    const value = this.read(...names);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /** Returns a finite number, also from a numeric string, otherwise undefined. */
  number(...names: string[]): number | undefined {
    const value = this.read(...names);
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
  }

  /** Returns a number above 0, otherwise undefined: survey-core uses 0 for "no limit". */
  positive(...names: string[]): number | undefined {
    const value = this.number(...names);
    return value !== undefined && value > 0 ? value : undefined;
  }

  /**
   * Returns the expression after `=` in a property that normally contains a value, such as `min`; otherwise undefined.
   */
  inlineExpression(property: string): string | undefined {
    const value = this.text(property);
    return value?.startsWith('=') ? value.slice(1) : undefined;
  }

  /** Returns true only for the JSON value `true`. */
  flag(...names: string[]): boolean {
    return this.read(...names) === true;
  }

  /** Returns the entries of an array property; empty if it is not an array. */
  list(...names: string[]): readonly unknown[] {
    const value = this.read(...names);
    return Array.isArray(value) ? value : [];
  }

  /** Returns the objects in an array property; other entries are left out. */
  parts(...names: string[]): Part[] {
    return this.list(...names).flatMap((entry) => (isObject(entry) ? [new Part(entry)] : []));
  }

  /** Returns a copy with changed properties. */
  with(changes: JsonObject): Part {
    return new Part({ ...this.json, ...changes });
  }

  /** Name of an element or column in answers and expressions; empty if it has none. */
  get name(): string {
    return effectiveName(this.text('name') ?? '');
  }

  /** Key of an element's answer: its `valueName`, otherwise its name. */
  get key(): string {
    return effectiveName(this.text('valueName') ?? '') || this.name;
  }

  /** Type in lower case; empty if it has none. */
  get type(): string {
    return (this.text('type') ?? '').toLowerCase();
  }

  /** Elements of a page or panel, or those shown with a choice. */
  get children(): Part[] {
    return this.parts('elements', 'questions');
  }
}

/** Returns a name as survey-core uses it for the answer's key: trimmed, without braces and a leading `#`. */
export function effectiveName(name: string): string {
  return name.trim().replace(/[{}]+/g, '').replace(/^#+/, '');
}

/**
 * Returns the value of an entry of `choices`, `rows` or `rateValues`: a scalar, `{value, text}`, `{text}` or
 * `value|text`.
 */
export function itemValue(item: unknown): unknown {
  if (typeof item === 'string') return item.split('|', 1)[0];
  if (!isObject(item)) return item;
  const part = new Part(item);
  return part.read('value') ?? part.read('text');
}

/**
 * Returns true if survey-core treats an answer as empty: null, blank text, an empty list, or an object of only such
 * values.
 */
export function isEmptyAnswer(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value === 'number') return Number.isNaN(value);
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every(isEmptyAnswer);
}

/** Key suffix of the comment on an answer (survey-core's `commentSuffix`). */
export const COMMENT_SUFFIX = '-Comment';

/** Key suffix of the totals of a matrix (survey-core's `totalsSuffix`). */
export const TOTAL_SUFFIX = '-total';
