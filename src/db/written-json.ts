/**
 * JSON as it was written. `JSON.parse` rounds numbers that a double cannot hold, makes `1.0` of `1` and puts keys such as `10` first.
 * Objects and arrays in which it does so remember how they were written: `JSON.stringify` writes them that way again, through a
 * `toJSON` that nothing enumerates. Everybody else sees the plain value.
 */

/** A value of JSON. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** Text in which there may be something to remember. Names and numbers within strings make it look closer for nothing. */
const MAY_BE_ALTERED = /\d{16}|\d[eE]|\.\d*0(?!\d)|-0(?![.\d])|"\d+"\s*:/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN_WORD = /true|false|null/y;
const BLANKS = /[ \t\r\n]*/y;
/** What is nested deeper is not looked at: no body of ours is, and walking it would exhaust the stack. */
const MAX_DEPTH = 500;

/** How an object or array was written. */
interface Written {
  /** The names of an object in their order. */
  readonly names: readonly string[] | null;
  /** Numbers that read otherwise than they were written, by name or index. */
  readonly numbers: ReadonlyMap<string, string>;
}

const writtenBy = new WeakMap<object, Written>();

/** A number that `JSON.stringify` writes with the digits that it was written with. */
export interface WrittenNumber {
  readonly rawJSON: string;
}

/** Two functions of `JSON` that the compiler does not know yet. */
const rawJson: (text: string) => WrittenNumber = Reflect.get(JSON, 'rawJSON');
/** True for a number as it was written. */
export const isWrittenNumber: (value: unknown) => value is WrittenNumber = Reflect.get(JSON, 'isRawJSON');

/** Parses JSON that `JSON.stringify` is to write as it stands here. @throws SyntaxError. */
export function parseWritten(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !MAY_BE_ALTERED.test(text)) return value;
  try {
    new Walk(text).value(value);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  return value;
}

/** Makes a copy of an object remember how its members were written; returns the copy. */
export function carryWritten<T extends object>(from: object, copy: T): T {
  const written = writtenBy.get(from);
  if (written !== undefined) remember(copy, written);
  return copy;
}

/** Parses JSON to be compared: numbers that a double cannot hold become objects with all their digits. @throws SyntaxError. */
export function parseExact(text: string): unknown {
  const value = parseWritten(text);
  return /\d{16}/.test(text) ? withAllDigits(value) : value;
}

function withAllDigits(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.keys(value).map((name) => {
    const member: unknown = Reflect.get(value, name);
    return [name, isRounded(value, name) ? writtenMember(value, name) : withAllDigits(member)] as const;
  });
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

/** A member as it was written: a number that was rounded as something that `JSON.stringify` writes with all its digits. */
export function writtenMember(holder: object, name: string): unknown {
  const value: unknown = Reflect.get(holder, name);
  const literal = literalOf(holder, name, value);
  return literal === undefined ? value : rawJson(literal);
}

/** True if a number has other digits than those that were written: a double cannot hold them. `1.0` is `1`. */
export function isRounded(holder: object, name: string): boolean {
  const value: unknown = Reflect.get(holder, name);
  const literal = literalOf(holder, name, value);
  return literal !== undefined && decimalOf(literal) !== decimalOf(String(value));
}

function literalOf(holder: object, name: string, value: unknown): string | undefined {
  const literal = typeof value === 'number' ? writtenBy.get(holder)?.numbers.get(name) : undefined;
  return literal !== undefined && Number(literal) === value ? literal : undefined;
}

/** Digits and exponent: the same for all ways to write a number. */
function decimalOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

class TooDeep extends Error {}

/** Goes through a text that is JSON beside the value that was made of it. */
class Walk {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next value; returns its text when it is a number. */
  value(value: unknown): string | null {
    this.#skip(BLANKS);
    const first = this.#text[this.#at];
    if (first === '{' || first === '[') this.#container(value, first === '[');
    else if (first === '"') this.#skipString();
    else if (!this.#skip(PLAIN_WORD)) {
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
      const literal = this.value(member);
      // Of a name that stands twice the last value counts.
      if (literal !== null && literal !== String(member) && Number(literal) === member)
        numbers.set(name, literal);
    }
    this.#at += 1;
    this.#depth -= 1;
    if (holder !== null) remember(holder, { names: isArray ? null : [...names], numbers });
  }

  /** Whether a container ends here; passes the comma before its next member. */
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

  #skip(token: RegExp): boolean {
    token.lastIndex = this.#at;
    const isThere = token.test(this.#text);
    if (isThere) this.#at = token.lastIndex;
    return isThere;
  }
}

function remember(holder: object, written: Written): void {
  const { names, numbers } = written;
  const isInOrder = names === null || Object.keys(holder).every((name, place) => names[place] === name);
  if ((isInOrder && numbers.size === 0) || Object.hasOwn(holder, 'toJSON')) return;
  writtenBy.set(holder, written);
  Object.defineProperty(holder, 'toJSON', {
    value: () => asWritten(holder),
    configurable: true,
    writable: true,
  });
}

/** What `JSON.stringify` is to write of a container; it may have been changed since it was parsed. */
function asWritten(holder: object): unknown {
  const written = writtenBy.get(holder);
  if (Array.isArray(holder)) return holder.map((_item, index) => writtenMember(holder, String(index)));
  const copy = Object.fromEntries(Object.keys(holder).map((name) => [name, writtenMember(holder, name)]));
  const names = written?.names ?? [];
  const rank = new Map(names.map((name, place) => [name, place]));
  const last = names.length;
  const keys = Object.keys(copy).toSorted((a, b) => (rank.get(a) ?? last) - (rank.get(b) ?? last));
  // The order of keys of a plain object cannot be chosen.
  return new Proxy(copy, { ownKeys: () => keys });
}
