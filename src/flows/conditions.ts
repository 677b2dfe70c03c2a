/**
 * Conditions of automations: rules over values, joined by `and` or `or`, compiled once
 * (docs/specification/automations.md#conditions).
 */
import { isDeepStrictEqual } from 'node:util';
import type { Issue } from '../errors/app-error.ts';
import { compileCost, compileLinearRegex, MAX_TEXT_CHARS } from '../patterns/linear-regex.ts';
import { EvaluationBudget, stepsOf } from './evaluation-budget.ts';
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
 * Returns true if a condition is met. @throws FlowError when an expression's output is too large, BudgetExceeded when
 * the evaluation exceeds `budget`.
 */
export type ConditionTest = (values: Values, budget?: EvaluationBudget) => boolean;

type Compare = (found: Json, value: Json, budget: EvaluationBudget) => boolean;
type PlainCompare = (found: Json, value: Json) => boolean;

/** A pattern written in a condition itself, not produced by an expression. */
export interface FixedPattern {
  /** Path in the condition: `rules[1].value`. */
  readonly field: string;
  readonly pattern: string;
}

/** Compares numbers, times or texts by `<` and the like; false if the two sides have different types. */
const compareOrder =
  (matches: (order: number) => boolean): Compare =>
  (found, value) => {
    const order = orderOf(found, value);
    return order !== null && matches(order);
  };

/** Compares a text or a number, as text, with a value. False for a null value, which no text contains. */
const compareTexts =
  (matches: (found: string, value: string) => boolean): PlainCompare =>
  (found, value) =>
    isText(found) && value !== null && matches(toText(found), toText(value));

const includesText = compareTexts((found, value) => found.includes(value));

const OPERATIONS: Readonly<Record<string, Compare>> = {
  equals,
  notEquals: (found, value) => !equals(found, value),
  greaterThan: compareOrder((order) => order > 0),
  greaterThanOrEqual: compareOrder((order) => order >= 0),
  lessThan: compareOrder((order) => order < 0),
  lessThanOrEqual: compareOrder((order) => order <= 0),
  contains,
  notContains: (found, value) => !contains(found, value),
  startsWith: compareTexts((found, value) => found.startsWith(value)),
  endsWith: compareTexts((found, value) => found.endsWith(value)),
  in: isInList,
  notIn: (found, value) => !isInList(found, value),
  isNull: (found) => found === null,
  isNotNull: (found) => found !== null,
  matches: (found, value, budget) =>
    isText(found) && value !== null && matchText(toText(value), toText(found), budget),
};

/** Operators that compare with each item of a list, which may be written with commas. */
const LIST_OPERATORS: readonly string[] = ['in', 'notIn'];

/** The names of the operators, in the order of the documentation. */
export const OPERATORS: readonly string[] = Object.keys(OPERATIONS);
const DEFAULT_OPERATOR = 'equals';
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
): ConditionTest | readonly Issue[] {
  const found = { issues: [], patterns, paths };
  const test = compileGroup(condition, '', 0, found);
  return found.issues.length > 0 ? found.issues : test;
}

/** Findings of the compilation. */
interface Findings {
  readonly issues: Issue[];
  readonly patterns: FixedPattern[];
  readonly paths: Segments[];
}

function compileGroup(group: unknown, prefix: string, depth: number, found: Findings): ConditionTest {
  const { issues } = found;
  const fault = (name: string, message: string) => {
    issues.push({ field: `${prefix}${name}`, message });
    return () => false;
  };
  if (depth > MAX_DEPTH) return fault('rules', `must not be nested deeper than ${MAX_DEPTH} levels`);
  if (!isObject(group)) return fault('rules', 'is required');
  const { rules, combinator } = group;
  if (!Array.isArray(rules)) return fault('rules', 'must be an array');
  if (rules.length > MAX_RULES) return fault('rules', `must have at most ${MAX_RULES} rules`);
  if (combinator !== 'and' && combinator !== 'or') return fault('combinator', 'must be and or or');
  const tests = rules.map((rule, index) => {
    const path = `${prefix}rules[${index}]`;
    if (!isObject(rule)) {
      issues.push({ field: path, message: 'must be an object' });
      return () => false;
    }
    return 'rules' in rule || 'combinator' in rule
      ? compileGroup(rule, `${path}.`, depth + 1, found)
      : compileRule(rule, `${path}.`, found);
  });
  return combinator === 'and'
    ? (values, budget) => tests.every((test) => test(values, budget))
    : (values, budget) => tests.some((test) => test(values, budget));
}

function compileRule(
  rule: Readonly<Record<string, unknown>>,
  prefix: string,
  { issues, patterns, paths }: Findings,
): ConditionTest {
  const { field = '', operator = DEFAULT_OPERATOR, value = null } = rule;
  const collect = <T>(name: string, work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof FlowError)) throw error;
      issues.push({ field: `${prefix}${name}`, message: error.message });
      return null;
    }
  };
  if (typeof operator !== 'string' || !Object.hasOwn(OPERATIONS, operator))
    issues.push({ field: `${prefix}operator`, message: `must be one of ${OPERATORS.join(', ')}` });
  const compare = typeof operator === 'string' ? OPERATIONS[operator] : undefined;
  const left = collect('field', () => compileField(field));
  const template = collect('value', () => compileTemplate(value));
  paths.push(...(left?.paths ?? []), ...(template?.paths ?? []));
  if (operator === 'matches' && template?.isFixed)
    patterns.push({ field: `${prefix}value`, pattern: toText(template.resolve({})) });
  if (!compare || !left || !template) return () => false;
  const isOfLists = LIST_OPERATORS.some((each) => each === operator);
  return (values, budget = new EvaluationBudget({})) => {
    budget.check();
    const [found, value] = [left.resolve(values), template.resolve(values)];
    budget.spend(stepsOf(found, isOfLists) + stepsOf(value, isOfLists));
    return compare(found, value, budget);
  };
}

/** A path may be written without braces. */
const FULL_PATH = /^\s*(?:trigger|actions)[.[]/;

/** A bare name is a field of the triggering record; without a record there is nothing to compare. */
function compileField(field: unknown): Pick<Template, 'paths' | 'resolve'> {
  if (typeof field !== 'string') throw new FlowError('must be a string');
  if (field === '') return { paths: [], resolve: () => null };
  if (field.includes('{{')) return compileTemplate(field);
  const { segments, read } = compilePath(FULL_PATH.test(field) ? field : toEntityPath(field.trim()));
  return { paths: [segments], resolve: read };
}

function toEntityPath(field: string): string {
  return `trigger.entity${field.startsWith('[') ? '' : '.'}${field}`;
}

function equals(found: Json, value: Json): boolean {
  return orderOf(found, value) === 0 || isDeepStrictEqual(found, value);
}

function contains(found: Json, value: Json): boolean {
  if (Array.isArray(found)) return found.some((item) => equals(item, value));
  return includesText(found, value);
}

/** True if a list, possibly written with commas, contains the value. */
function isInList(found: Json, value: Json): boolean {
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
  const isNumeric = typeof found === 'number' || typeof value === 'number';
  for (const read of [isNumeric ? numberOf : exactNumberOf, timeOf, textOf]) {
    const [left, right] = [read(found), read(value)];
    if (left !== null && right !== null) return left < right ? -1 : left > right ? 1 : 0;
  }
  return null;
}

/** Longer texts are not read as numbers: a text of a million digits may be compared with thousands of others. */
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

/** Reads long integers exactly: account and card numbers have more digits than a double can represent. */
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

/** Matches a pattern. An invalid pattern, which may come from a run's data, matches no text. */
function matchText(pattern: string, text: string, budget: EvaluationBudget): boolean {
  budget.spend(compileCost(pattern, false));
  const regex = compileLinearRegex(pattern, false);
  if (regex === null) return false;
  budget.spend(regex.size * Math.min(text.length, MAX_TEXT_CHARS));
  return regex.test(text);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
