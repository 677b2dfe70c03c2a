/**
 * The text form of filters, which is also their form in the URL: `status is failed and created_at after 2026-11-01`.
 * Its words are English in every language, so that a link means the same to everybody.
 */
import type { FilterField, FilterOperation, ListFilters } from '../../sdk/src/list-facts.ts';
import { type Condition, findField, isValueOf, operationsOf, VALUE_COUNT } from './condition.ts';

/** Words of the operations. The first is printed. */
const PHRASES: Readonly<Record<FilterOperation, readonly string[]>> = {
  eq: ['is', '='],
  ne: ['is not', '!='],
  like: ['contains'],
  nlike: ['does not contain'],
  gt: ['>', 'after', 'above'],
  gte: ['>=', 'since'],
  lt: ['<', 'before', 'below'],
  lte: ['<=', 'until'],
  between: ['between'],
  in: ['is any of', 'in'],
  nin: ['is none of', 'not in'],
  empty: ['is empty'],
  nempty: ['is not empty'],
  nemptyarray: ['has items'],
};
/** Words for times. */
const TIME_PHRASES: Readonly<Partial<Record<FilterOperation, string>>> = {
  gt: 'after',
  gte: 'since',
  lt: 'before',
  lte: 'until',
};
const AND = 'and';

/** Operations by their words, longest first, because "is" begins "is not empty". */
const BY_PHRASE = Object.entries(PHRASES)
  .flatMap(([name, phrases]) => phrases.map((phrase) => ({ name, words: phrase.split(' ') })))
  .sort((a, b) => b.words.length - a.words.length);
/** Words that values must quote. */
const RESERVED: ReadonlySet<string> = new Set([AND, ...BY_PHRASE.flatMap(({ words }) => words)]);

/** Reason for which a part of a text is not a condition. */
export type FilterFaultKind = 'field' | 'operation' | 'value' | 'repeated' | 'end';

/** A part of a text that is not a condition. The other parts still apply. */
export interface FilterFault {
  readonly kind: FilterFaultKind;
  /** The name of the field or the value at fault. */
  readonly name: string;
}

/** The conditions of a text, and its faults. */
export interface ParsedFilter {
  readonly conditions: readonly Condition[];
  readonly faults: readonly FilterFault[];
}

interface Token {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Prints conditions as text. `parseFilter` returns the same conditions. */
export function printFilter(conditions: readonly Condition[], filters: ListFilters): string {
  return conditions
    .map((condition) => printCondition(condition, findField(filters, condition.field)))
    .join(` ${AND} `);
}

function printCondition({ field, operation, values }: Condition, facts: FilterField | undefined): string {
  const phrase =
    (facts?.type === 'time' ? TIME_PHRASES[operation] : undefined) ?? PHRASES[operation][0] ?? '';
  const separator = VALUE_COUNT[operation] === 'two' ? ` ${AND} ` : ', ';
  return [printWord(field), phrase, values.map(printWord).join(separator)]
    .filter((part) => part !== '')
    .join(' ');
}

function printWord(text: string): string {
  const isPlain = /^[^\s",\\]+$/.test(text) && !RESERVED.has(text.toLowerCase());
  return isPlain ? text : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** Reads a text. What the list does not offer becomes a fault. */
export function parseFilter(text: string, filters: ListFilters): ParsedFilter {
  const conditions: Condition[] = [];
  const faults: FilterFault[] = [];
  const tokens = tokenize(text);
  while (tokens.length > 0) {
    const read = readCondition(tokens, filters);
    if ('kind' in read) faults.push(read);
    else if (conditions.some(({ field, operation }) => field === read.field && operation === read.operation))
      faults.push({ kind: 'repeated', name: read.field });
    else conditions.push(read);
    const rest = skipToAnd(tokens);
    if (rest !== '' && !('kind' in read)) faults.push({ kind: 'end', name: rest });
  }
  return { conditions, faults };
}

/** Splits a text into words, quoted texts and commas. A quote without an end takes the rest of the text. */
function tokenize(text: string): Token[] {
  const found = text.matchAll(/"((?:[^"\\]|\\.)*)(?:"|\\?$)|,|[^\s",]+/gs);
  return [...found].map(([whole, quoted]) => ({
    text: quoted === undefined ? whole : quoted.replaceAll(/\\(.)/gs, '$1'),
    isQuoted: quoted !== undefined,
  }));
}

/** Takes the tokens of one condition. */
function readCondition(tokens: Token[], filters: ListFilters): Condition | FilterFault {
  const { text: field = '' } = tokens.shift() ?? {};
  const facts = findField(filters, field);
  if (facts === undefined) return { kind: 'field', name: field };
  const operation = readOperation(tokens);
  if (operation === null || !operationsOf(filters, facts).includes(operation))
    return { kind: 'operation', name: field };
  const values = readValues(tokens, operation, facts);
  const isComplete = {
    none: values.length === 0,
    one: values.length === 1,
    two: values.length === 2,
    many: values.length > 0,
  }[VALUE_COUNT[operation]];
  const wrong = values.find((value) => !isValueOf(facts, value));
  if (wrong !== undefined || !isComplete) return { kind: 'value', name: field };
  return { field, operation, values };
}

function readOperation(tokens: Token[]): FilterOperation | null {
  const found = BY_PHRASE.find(({ words }) => words.every((word, index) => isWord(tokens[index], word)));
  if (found === undefined) return null;
  tokens.splice(0, found.words.length);
  return isOperation(found.name) ? found.name : null;
}

function isOperation(name: string): name is FilterOperation {
  return Object.hasOwn(PHRASES, name);
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.isQuoted === false && token.text.toLowerCase() === word;
}

function readValues(tokens: Token[], operation: FilterOperation, facts: FilterField): string[] {
  const count = VALUE_COUNT[operation];
  const values: string[] = [];
  if (count === 'none') return values;
  for (;;) {
    const [token] = tokens;
    if (token === undefined || isWord(token, AND) || isWord(token, ',')) return values;
    values.push(token.text);
    tokens.shift();
    const isRange = count === 'two' && values.length === 1 && isWord(tokens[0], AND);
    // After an incomplete range, "and" begins the next condition.
    const goesOn = isRange
      ? isValueOf(facts, tokens[1]?.text ?? '')
      : count === 'many' && isWord(tokens[0], ',');
    if (!goesOn) return values;
    tokens.shift();
  }
}

/** Takes the tokens up to the next condition. Returns those that no condition took. */
function skipToAnd(tokens: Token[]): string {
  const end = tokens.findIndex((token) => isWord(token, AND));
  const rest = tokens.splice(0, end === -1 ? tokens.length : end + 1);
  return (end === -1 ? rest : rest.slice(0, -1)).map(({ text }) => text).join(' ');
}
