/**
 * Reading a form definition (docs/specification/forms.md#form-definition), which is the caller's JSON kept
 * verbatim: every property may be absent or of a wrong type, so it is only ever read through `Part`.
 */

/** An object that came out of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A form definition as stored: SurveyJS JSON of survey-core 2.5.38. */
export type FormDefinition = JsonObject;

/** True for an object of JSON: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object of a definition: the form, a page, an element, a choice, a validator. Its readers take older spellings too. */
export class Part {
  readonly json: JsonObject;

  constructor(json: JsonObject) {
    this.json = json;
  }

  /** The first own property among `names`. */
  read(...names: string[]): unknown {
    const name = names.find((one) => Object.hasOwn(this.json, one));
    return name === undefined ? undefined : this.json[name];
  }

  /** A property that is a non-empty string, else undefined. */
  text(...names: string[]): string | undefined {
    const value = this.read(...names);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /** A property that is a finite number, also when written as a numeric string, else undefined. */
  number(...names: string[]): number | undefined {
    const value = this.read(...names);
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
  }

  /** A number above 0, else undefined: how survey-core writes "no bound". */
  positive(...names: string[]): number | undefined {
    const value = this.number(...names);
    return value !== undefined && value > 0 ? value : undefined;
  }

  /** The expression after `=` in a property that is else a value, such as `min`; undefined when it is none. */
  inlineExpression(property: string): string | undefined {
    const value = this.text(property);
    return value?.startsWith('=') ? value.slice(1) : undefined;
  }

  /** True only for the JSON value `true`. */
  flag(...names: string[]): boolean {
    return this.read(...names) === true;
  }

  /** The entries of an array property, empty when it is not an array. */
  list(...names: string[]): readonly unknown[] {
    const value = this.read(...names);
    return Array.isArray(value) ? value : [];
  }

  /** The objects of an array property; anything else in it is left out. */
  parts(...names: string[]): Part[] {
    return this.list(...names).flatMap((entry) => (isObject(entry) ? [new Part(entry)] : []));
  }

  /** The same with other properties. */
  with(changes: JsonObject): Part {
    return new Part({ ...this.json, ...changes });
  }

  /** The name of an element or column, as answers and expressions use it; empty when it has none. */
  get name(): string {
    return effectiveName(this.text('name') ?? '');
  }

  /** The key of an element's answer: its `valueName`, else its name. */
  get key(): string {
    return effectiveName(this.text('valueName') ?? '') || this.name;
  }

  /** Its type in lower case, empty when it has none. */
  get type(): string {
    return (this.text('type') ?? '').toLowerCase();
  }

  /** The elements of a page or panel, or those shown with a choice. */
  get children(): Part[] {
    return this.parts('elements', 'questions');
  }
}

/** A name as survey-core uses it for the answer's key: trimmed, without braces and a leading `#`. */
export function effectiveName(name: string): string {
  return name.trim().replace(/[{}]+/g, '').replace(/^#+/, '');
}

/** The value of an entry of `choices`, `rows` or `rateValues`: a scalar, `{value, text}`, `{text}` or `value|text`. */
export function itemValue(item: unknown): unknown {
  if (typeof item === 'string') return item.split('|', 1)[0];
  if (!isObject(item)) return item;
  const part = new Part(item);
  return part.read('value') ?? part.read('text');
}

/** Whether an answer counts as none (survey-core: null, blank text, an empty list, an object of nothing but such). */
export function isEmptyAnswer(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value === 'number') return Number.isNaN(value);
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every(isEmptyAnswer);
}

/** Key suffix of the comment beside an answer (survey-core's `commentSuffix`). */
export const COMMENT_SUFFIX = '-Comment';

/** Key suffix of the totals beside a matrix's answer (survey-core's `totalsSuffix`). */
export const TOTAL_SUFFIX = '-total';
