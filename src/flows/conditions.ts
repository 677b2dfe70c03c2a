/**
 * Conditions of automations: rules over values, joined by `and` or `or`, compiled once
 * (docs/specification/automations.md#conditions).
 */
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { Issue } from '../errors/app-error.ts';
import { compileLinearRegex, type LinearRegex, MAX_PATTERN_CHARS } from '../patterns/linear-regex.ts';
import {
  compilePath,
  compileTemplate,
  FlowError,
  type Json,
  MAX_DEPTH,
  type Template,
  toText,
  type Values,
} from './expressions.ts';

/**
 * Whether a condition holds. @throws FlowError when an expression of it makes too much, or it is not decided by `until`, a time of
 * the monotonic clock in milliseconds: nothing else goes on meanwhile.
 */
export type Test = (values: Values, until?: number) => boolean;

type Compare = (found: Json, value: Json) => boolean;

/** Compares by `<` and the like where both sides are numbers, times or texts; anything else does not compare. */
const ordered =
  (holds: (order: number) => boolean): Compare =>
  (found, value) => {
    const order = orderOf(found, value);
    return order !== null && holds(order);
  };

/** Compares a text or a number, as text, with a value that is there: one that is absent is no part of any text. */
const ofTexts =
  (holds: (found: string, value: string) => boolean): Compare =>
  (found, value) =>
    isText(found) && value !== null && holds(toText(found), toText(value));

const isTextWith = ofTexts((found, value) => found.includes(value));

const OPERATIONS: Readonly<Record<string, Compare>> = {
  equals,
  notEquals: (found, value) => !equals(found, value),
  greaterThan: ordered((order) => order > 0),
  greaterThanOrEqual: ordered((order) => order >= 0),
  lessThan: ordered((order) => order < 0),
  lessThanOrEqual: ordered((order) => order <= 0),
  contains,
  notContains: (found, value) => !contains(found, value),
  startsWith: ofTexts((found, value) => found.startsWith(value)),
  endsWith: ofTexts((found, value) => found.endsWith(value)),
  in: isIn,
  notIn: (found, value) => !isIn(found, value),
  isNull: (found) => found === null,
  isNotNull: (found) => found !== null,
  matches: ofTexts((found, value) => patternOf(value)?.test(found) ?? false),
};

/** The names of the operators, in the order in which documents show them. */
export const OPERATORS: readonly string[] = Object.keys(OPERATIONS);
const USUAL_OPERATOR = 'equals';
const MAX_RULES = 100;

/**
 * Compiles a condition of a definition. No rules: `and` holds, `or` does not.
 * @returns the test, or every fault, its `field` leading into the condition: `rules[1].operator`.
 */
export function compileCondition(condition: unknown): Test | readonly Issue[] {
  const issues: Issue[] = [];
  const test = compileGroup(condition, '', 0, issues);
  return issues.length > 0 ? issues : test;
}

function compileGroup(group: unknown, at: string, depth: number, issues: Issue[]): Test {
  const fault = (name: string, message: string) => {
    issues.push({ field: `${at}${name}`, message });
    return () => false;
  };
  if (depth > MAX_DEPTH) return fault('rules', `must not be nested deeper than ${MAX_DEPTH} levels`);
  if (!isObject(group)) return fault('rules', 'is required');
  const { rules, combinator } = group;
  if (!Array.isArray(rules)) return fault('rules', 'must be an array');
  if (rules.length > MAX_RULES) return fault('rules', `must not have more than ${MAX_RULES} rules`);
  if (combinator !== 'and' && combinator !== 'or') return fault('combinator', 'must be and or or');
  const tests = rules.map((rule, index) => {
    const place = `${at}rules[${index}]`;
    if (!isObject(rule)) {
      issues.push({ field: place, message: 'must be an object' });
      return () => false;
    }
    return 'rules' in rule || 'combinator' in rule
      ? compileGroup(rule, `${place}.`, depth + 1, issues)
      : compileRule(rule, `${place}.`, issues);
  });
  return combinator === 'and'
    ? (values, until) => tests.every((test) => test(values, until))
    : (values, until) => tests.some((test) => test(values, until));
}

function compileRule(rule: Readonly<Record<string, unknown>>, at: string, issues: Issue[]): Test {
  const { field = '', operator = USUAL_OPERATOR, value = null } = rule;
  const collect = <T>(name: string, work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof FlowError)) throw error;
      issues.push({ field: `${at}${name}`, message: error.message });
      return null;
    }
  };
  if (typeof operator !== 'string' || !Object.hasOwn(OPERATIONS, operator))
    issues.push({ field: `${at}operator`, message: `must be one of ${OPERATORS.join(', ')}` });
  const compare = typeof operator === 'string' ? OPERATIONS[operator] : undefined;
  const read = collect('field', () => compileField(field));
  const template = collect('value', () => compileTemplate(value));
  if (operator === 'matches' && template?.isFixed && patternOf(toText(template.resolve({}))) === null)
    issues.push({ field: `${at}value`, message: 'must be a regular expression of RE2' });
  if (!compare || !read || !template) return () => false;
  return (values, until = Number.POSITIVE_INFINITY) => {
    if (performance.now() > until) throw new FlowError('It takes too long.');
    return compare(read(values), template.resolve(values));
  };
}

/** A bare name is a field of the record that has set the run off; without one there is nothing to compare. */
function compileField(field: unknown): (values: Values) => Json {
  if (typeof field !== 'string') throw new FlowError('must be a string');
  if (field === '') return () => null;
  if (!field.includes('{{')) return compilePath(`trigger.entity.${field}`);
  const template: Template = compileTemplate(field);
  return (values) => template.resolve(values);
}

function equals(found: Json, value: Json): boolean {
  return orderOf(found, value) === 0 || isDeepStrictEqual(found, value);
}

function contains(found: Json, value: Json): boolean {
  if (Array.isArray(found)) return found.some((item) => equals(item, value));
  return isTextWith(found, value);
}

/** A list may be written with commas, too. */
function isIn(found: Json, value: Json): boolean {
  const list: readonly Json[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(',').map((item) => item.trim())
      : [value];
  return list.some((item) => equals(found, item));
}

function isText(value: Json): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** Below zero, zero or above: numbers and numeric texts as numbers, ISO dates as times, else texts; null: they do not compare. */
function orderOf(found: Json, value: Json): number | null {
  const isDouble = typeof found === 'number' || typeof value === 'number';
  for (const read of [isDouble ? numberOf : exactNumberOf, timeOf, textOf]) {
    const [left, right] = [read(found), read(value)];
    if (left !== null && right !== null) return left < right ? -1 : left > right ? 1 : 0;
  }
  return null;
}

/** Texts of more characters are no numbers: one of a million digits may be compared with thousands of others. */
const MAX_NUMBER_CHARS = 1000;
/** Digits are read in one way only: a record's text of a million of them takes no longer than one of letters. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const INTEGER = /^[+-]?\d+$/;
/** A date, or a moment with its offset (ISO 8601); a moment without one is UTC. */
const TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

function numberOf(value: Json): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > MAX_NUMBER_CHARS) return null;
  const number = NUMBER.test(value.trim()) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** Of two texts: numbers of accounts and cards have more digits than a double tells apart. */
function exactNumberOf(value: Json): number | bigint | null {
  const number = numberOf(value);
  const isLong = number !== null && !Number.isSafeInteger(number) && INTEGER.test(String(value).trim());
  return isLong ? BigInt(String(value).trim()) : number;
}

function timeOf(value: Json): number | null {
  if (typeof value !== 'string' || !TIME.test(value)) return null;
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/.test(value.slice(10)) || value.length === 10;
  const time = Date.parse(hasZone ? value : `${value}Z`);
  return Number.isNaN(time) ? null : time;
}

function textOf(value: Json): string | null {
  return typeof value === 'string' ? value : null;
}

/** Patterns that only a run tells. */
const patterns = new LRUCache<string, { readonly regex: LinearRegex | null }>({ max: 1000 });

function patternOf(pattern: string): LinearRegex | null {
  if (pattern.length > MAX_PATTERN_CHARS) return null;
  const known = patterns.get(pattern) ?? { regex: compileLinearRegex(pattern, false) };
  patterns.set(pattern, known);
  return known.regex;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
