/**
 * Conditions of automations: rules over values, joined by `and` or `or`, compiled once
 * (docs/specification/automations.md#conditions).
 */
import { isDeepStrictEqual } from 'node:util';
import type { Issue } from '../errors/app-error.ts';
import { compileCost, compileLinearRegex, MAX_TEXT_CHARS } from '../patterns/linear-regex.ts';
import { Effort, stepsOf } from './effort.ts';
import {
  compilePath,
  compileTemplate,
  FlowError,
  type Json,
  MAX_DEPTH,
  type Segments,
  type Template,
  toText,
  type Values,
} from './expressions.ts';

/**
 * Returns true if a condition is met. @throws FlowError when an expression's output is too large, EffortExceeded by
 * `effort`.
 */
export type Test = (values: Values, effort?: Effort) => boolean;

type Compare = (found: Json, value: Json, effort: Effort) => boolean;
type PlainCompare = (found: Json, value: Json) => boolean;

/** A pattern written in a condition itself, not produced by an expression. */
export interface FixedPattern {
  /** Its place in the condition: `rules[1].value`. */
  readonly field: string;
  readonly pattern: string;
}

/** Compares numbers, times or texts by `<` and the like; false if the two sides have different types. */
const ordered =
  (holds: (order: number) => boolean): Compare =>
  (found, value) => {
    const order = orderOf(found, value);
    return order !== null && holds(order);
  };

/** Compares a text or a number, as text, with a value that is present: an absent value is part of no text. */
const ofTexts =
  (holds: (found: string, value: string) => boolean): PlainCompare =>
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
  matches: (found, value, effort) =>
    isText(found) && value !== null && matchText(toText(value), toText(found), effort),
};

/** Operators that compare with each item of a list, which may be written with commas. */
const LIST_OPERATORS: readonly string[] = ['in', 'notIn'];

/** The names of the operators, in the order in which documents show them. */
export const OPERATORS: readonly string[] = Object.keys(OPERATIONS);
const USUAL_OPERATOR = 'equals';
const MAX_RULES = 100;

/** The parts of a condition, collected while it is compiled. */
export interface ConditionParts {
  /** Patterns are not compiled here, because that may take long. */
  readonly patterns?: FixedPattern[];
  readonly paths?: Segments[];
}

/**
 * Compiles a condition of a definition and adds its parts to `parts`. Without rules, `and` is true and `or` is false.
 * @returns the test, or all faults, whose `field` is a path in the condition: `rules[1].operator`.
 */
export function compileCondition(
  condition: unknown,
  { patterns = [], paths = [] }: ConditionParts = {},
): Test | readonly Issue[] {
  const found = { issues: [], patterns, paths };
  const test = compileGroup(condition, '', 0, found);
  return found.issues.length > 0 ? found.issues : test;
}

/** Findings of the compilation. */
interface Found {
  readonly issues: Issue[];
  readonly patterns: FixedPattern[];
  readonly paths: Segments[];
}

function compileGroup(group: unknown, at: string, depth: number, found: Found): Test {
  const { issues } = found;
  const fault = (name: string, message: string) => {
    issues.push({ field: `${at}${name}`, message });
    return () => false;
  };
  if (depth > MAX_DEPTH) return fault('rules', `must not be nested deeper than ${MAX_DEPTH} levels`);
  if (!isObject(group)) return fault('rules', 'is required');
  const { rules, combinator } = group;
  if (!Array.isArray(rules)) return fault('rules', 'must be an array');
  if (rules.length > MAX_RULES) return fault('rules', `must have at most ${MAX_RULES} rules`);
  if (combinator !== 'and' && combinator !== 'or') return fault('combinator', 'must be and or or');
  const tests = rules.map((rule, index) => {
    const place = `${at}rules[${index}]`;
    if (!isObject(rule)) {
      issues.push({ field: place, message: 'must be an object' });
      return () => false;
    }
    return 'rules' in rule || 'combinator' in rule
      ? compileGroup(rule, `${place}.`, depth + 1, found)
      : compileRule(rule, `${place}.`, found);
  });
  return combinator === 'and'
    ? (values, effort) => tests.every((test) => test(values, effort))
    : (values, effort) => tests.some((test) => test(values, effort));
}

function compileRule(
  rule: Readonly<Record<string, unknown>>,
  at: string,
  { issues, patterns, paths }: Found,
): Test {
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
  const left = collect('field', () => compileField(field));
  const template = collect('value', () => compileTemplate(value));
  paths.push(...(left?.paths ?? []), ...(template?.paths ?? []));
  if (operator === 'matches' && template?.isFixed)
    patterns.push({ field: `${at}value`, pattern: toText(template.resolve({})) });
  if (!compare || !left || !template) return () => false;
  const isOfLists = LIST_OPERATORS.some((each) => each === operator);
  return (values, effort = new Effort({})) => {
    effort.check();
    const [found, value] = [left.resolve(values), template.resolve(values)];
    effort.spend(stepsOf(found, isOfLists) + stepsOf(value, isOfLists));
    return compare(found, value, effort);
  };
}

/** A path may be written without braces. */
const WHOLE_PATH = /^\s*(?:trigger|actions)[.[]/;

/** A bare name is a field of the triggering record; without a record there is nothing to compare. */
function compileField(field: unknown): Pick<Template, 'paths' | 'resolve'> {
  if (typeof field !== 'string') throw new FlowError('must be a string');
  if (field === '') return { paths: [], resolve: () => null };
  if (field.includes('{{')) return compileTemplate(field);
  const { segments, read } = compilePath(WHOLE_PATH.test(field) ? field : inEntity(field.trim()));
  return { paths: [segments], resolve: read };
}

function inEntity(field: string): string {
  return `trigger.entity${field.startsWith('[') ? '' : '.'}${field}`;
}

function equals(found: Json, value: Json): boolean {
  return orderOf(found, value) === 0 || isDeepStrictEqual(found, value);
}

function contains(found: Json, value: Json): boolean {
  if (Array.isArray(found)) return found.some((item) => equals(item, value));
  return isTextWith(found, value);
}

/** True if a list, possibly written with commas, contains the value. */
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

/**
 * Negative, zero or positive: compares numbers and numeric texts as numbers, ISO dates as times, others as texts; null
 * if they are not comparable.
 */
function orderOf(found: Json, value: Json): number | null {
  const isDouble = typeof found === 'number' || typeof value === 'number';
  for (const read of [isDouble ? numberOf : exactNumberOf, timeOf, textOf]) {
    const [left, right] = [read(found), read(value)];
    if (left !== null && right !== null) return left < right ? -1 : left > right ? 1 : 0;
  }
  return null;
}

/** Longer texts are not read as numbers: one of a million digits may be compared with thousands of others. */
const MAX_NUMBER_CHARS = 1000;
/** Each digit matches in only one way, so that a million digits take no longer than a million letters. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const INTEGER = /^[+-]?\d+$/;
/** A date, or a time with its offset (ISO 8601); a time without one is UTC. */
const TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

function numberOf(value: Json): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > MAX_NUMBER_CHARS) return null;
  const number = NUMBER.test(value.trim()) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** Reads long integers exactly: numbers of accounts and cards have more digits than a double distinguishes. */
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

/** An invalid pattern, which may come from a run's data, matches nothing. */
function matchText(pattern: string, text: string, effort: Effort): boolean {
  effort.spend(compileCost(pattern, false));
  const regex = compileLinearRegex(pattern, false);
  if (regex === null) return false;
  effort.spend(regex.size * Math.min(text.length, MAX_TEXT_CHARS));
  return regex.test(text);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
