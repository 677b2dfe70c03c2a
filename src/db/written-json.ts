/**
 * JSON that keeps its original form ("written" in names). `JSON.parse` rounds numbers that a double cannot represent,
 * turns `1.0` into `1` and moves keys such as `10` to the front. Affected objects and arrays remember their original
 * form, and `JSON.stringify` restores it through a non-enumerable `toJSON`. All other code sees the plain value.
 */

/** A JSON value. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** Matches text with a number that a double may not represent: many digits, or an exponent beyond its range. */
const MAY_BE_ROUNDED = /[\d.]{16}|\d[eE][+-]?\d{3}/;
/** Matches text that `JSON.parse` may alter. Names and numbers within strings match needlessly. */
const MAY_BE_ALTERED = /[\d.]{16}|\d[eE]|\.\d*0(?!\d)|\.0{6}|-0(?![.\d])|"\d+"\s*:/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const KEYWORD = /true|false|null/y;
const BLANKS = /[ \t\r\n]*/y;
/** Maximum nesting of a walk, so that it cannot exhaust the stack. No body of the platform is nested deeper. */
const MAX_DEPTH = 500;

/** The original form of an object or array. */
interface Written {
  /** Names of an object in their original order; null for an array. */
  readonly names: readonly string[] | null;
  /** Original text of numbers that are printed differently, by name or index. */
  readonly numbers: ReadonlyMap<string, string>;
}

const writtenBy = new WeakMap<object, Written>();

/** A number that `JSON.stringify` writes with its original digits. */
export interface WrittenNumber {
  readonly rawJSON: string;
}

/** Functions of `JSON` that TypeScript does not declare yet. */
const rawJson: (text: string) => WrittenNumber = Reflect.get(JSON, 'rawJSON');
/** True for a number in its original form. */
export const isWrittenNumber: (value: unknown) => value is WrittenNumber = Reflect.get(JSON, 'isRawJSON');

/**
 * Parses JSON so that `JSON.stringify` restores the original form. Text nested deeper than `MAX_DEPTH` may lose it.
 * @throws SyntaxError
 */
export function parseWritten(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !MAY_BE_ALTERED.test(text)) return value;
  try {
    new Walk(text).read(value);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  return value;
}

/** Copies the original form of an object to its copy; returns the copy. */
export function carryWritten<T extends object>(from: object, copy: T): T {
  const written = writtenBy.get(from);
  if (written !== undefined) remember(copy, written);
  return copy;
}

/** Copies the members of an object that `isSelected` accepts. Each keeps its original form. */
export function selectWritten(
  from: object,
  isSelected: (name: string, value: unknown) => boolean,
): Record<string, unknown> {
  const members: [string, unknown][] = Object.entries(from);
  return carryWritten(from, Object.fromEntries(members.filter((member) => isSelected(...member))));
}

/** Copies a JSON value deeply; objects and arrays keep their original form. */
export function cloneWritten(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return carryWritten(value, value.map(cloneWritten));
  const members = Object.entries(value).map(([name, member]) => [name, cloneWritten(member)] as const);
  return carryWritten(value, Object.fromEntries(members));
}

/** Merges two objects as a spread does. Each member keeps the original form that it has in its object. */
export function mergeWritten<A extends object, B extends object>(first: A, second: B): A & B {
  const merged = { ...first, ...second };
  const names = new Set<string>();
  const numbers = new Map<string, string>();
  for (const part of [first, second]) {
    const written = writtenBy.get(part);
    const own = Object.keys(part);
    for (const name of [...(written?.names ?? []), ...own]) if (Object.hasOwn(part, name)) names.add(name);
    for (const name of own) {
      const literal = written?.numbers.get(name);
      if (literal === undefined) numbers.delete(name);
      else numbers.set(name, literal);
    }
  }
  remember(merged, { names: [...names], numbers });
  return merged;
}

/**
 * Parses JSON for comparison: numbers that a double cannot represent become objects with all digits.
 * @throws SyntaxError
 */
export function parseExact(text: string): unknown {
  const value = parseWritten(text);
  return MAY_BE_ROUNDED.test(text) ? withAllDigits(value) : value;
}

function withAllDigits(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.keys(value).map((name) => {
    const member: unknown = Reflect.get(value, name);
    return [name, isRounded(value, name) ? writtenMember(value, name) : withAllDigits(member)] as const;
  });
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

/**
 * Returns a member in its original form: a number that JavaScript prints differently becomes an object that
 * `JSON.stringify` writes with its original digits.
 */
export function writtenMember(holder: object, name: string): unknown {
  const value: unknown = Reflect.get(holder, name);
  const literal = literalOf(holder, name, value);
  return literal === undefined ? value : rawJson(literal);
}

/** True if a number differs from its original digits because a double cannot represent them. `1.0` equals `1`. */
export function isRounded(holder: object, name: string): boolean {
  const value: unknown = Reflect.get(holder, name);
  const literal = literalOf(holder, name, value);
  return literal !== undefined && decimalOf(literal) !== decimalOf(String(value));
}

function literalOf(holder: object, name: string, value: unknown): string | undefined {
  const literal = typeof value === 'number' ? writtenBy.get(holder)?.numbers.get(name) : undefined;
  return literal !== undefined && Number(literal) === value ? literal : undefined;
}

/** Returns digits and exponent, equal for all notations of a number. */
function decimalOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** Thrown when a walk reaches `MAX_DEPTH`. */
class TooDeep extends Error {}

/** Walks JSON text in parallel with the value that was parsed from it. */
class Walk {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the next value; returns its text if it is a number. */
  read(value: unknown): string | null {
    this.#skip(BLANKS);
    const first = this.#text[this.#at];
    if (first === '{' || first === '[') this.#container(value, first === '[');
    else if (first === '"') this.#skipString();
    else if (!this.#skip(KEYWORD)) {
      const from = this.#at;
      this.#skip(NUMBER);
      return this.#text.slice(from, this.#at);
    }
    return null;
  }

  #container(value: unknown, isArray: boolean): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new TooDeep();
    this.#at += 1;
    const holder =
      typeof value === 'object' && value !== null && Array.isArray(value) === isArray ? value : null;
    const names = new Set<string>();
    const numbers = new Map<string, string>();
    for (let index = 0; !this.#ends(); index += 1) {
      const name = isArray ? String(index) : this.#name();
      names.add(name);
      const member: unknown = holder === null ? undefined : Reflect.get(holder, name);
      const literal = this.read(member);
      // For a duplicate name, the last value counts.
      numbers.delete(name);
      if (literal !== null && literal !== String(member) && Number(literal) === member)
        numbers.set(name, literal);
    }
    this.#at += 1;
    this.#depth -= 1;
    if (holder !== null) remember(holder, { names: isArray ? null : [...names], numbers });
  }

  /** True at the end of a container; skips the comma before its next member. */
  #ends(): boolean {
    this.#skip(BLANKS);
    if (this.#text[this.#at] === ',') {
      this.#at += 1;
      this.#skip(BLANKS);
    }
    const next = this.#text[this.#at];
    return next === undefined || next === '}' || next === ']';
  }

  #name(): string {
    const from = this.#at;
    this.#skipString();
    const name: unknown = JSON.parse(this.#text.slice(from, this.#at));
    this.#skip(BLANKS);
    this.#at += 1;
    return String(name);
  }

  #skipString(): void {
    let backslashes: number;
    do {
      this.#at = this.#text.indexOf('"', this.#at + 1);
      backslashes = 0;
      while (this.#text[this.#at - 1 - backslashes] === '\\') backslashes += 1;
    } while (backslashes % 2 === 1);
    this.#at += 1;
  }

  /** Skips a token; returns false if it is not at this position. */
  #skip(token: RegExp): boolean {
    token.lastIndex = this.#at;
    const isFound = token.test(this.#text);
    if (isFound) this.#at = token.lastIndex;
    return isFound;
  }
}

function remember(holder: object, written: Written): void {
  const { names, numbers } = written;
  const isInOrder = names === null || Object.keys(holder).every((name, place) => names[place] === name);
  const isKnown = writtenBy.has(holder);
  // Keep a member of the data that is named `toJSON`. For a duplicate name, the form of the last value replaces that of
  // an earlier one.
  if ((isInOrder && numbers.size === 0 && !isKnown) || (Object.hasOwn(holder, 'toJSON') && !isKnown)) return;
  writtenBy.set(holder, written);
  if (isKnown) return;
  Object.defineProperty(holder, 'toJSON', {
    value: () => asWritten(holder),
    configurable: true,
    writable: true,
  });
}

/** Returns the value for `JSON.stringify`; the container may have changed since it was parsed. */
function asWritten(holder: object): unknown {
  const written = writtenBy.get(holder);
  if (Array.isArray(holder)) return holder.map((_item, index) => writtenMember(holder, String(index)));
  const copy = Object.fromEntries(Object.keys(holder).map((name) => [name, writtenMember(holder, name)]));
  const names = written?.names ?? [];
  const rank = new Map(names.map((name, place) => [name, place]));
  const last = names.length;
  const keys = Object.keys(copy).toSorted((a, b) => (rank.get(a) ?? last) - (rank.get(b) ?? last));
  // A plain object always lists keys such as `10` first; a proxy can list them in any order.
  return new Proxy(copy, { ownKeys: () => keys });
}
