/**
 * Expressions of automations and journeys: `{{trigger.entity.name}}` in the texts of a definition. They are paths,
 * never code: compiled once, and resolved against own members of plain values. Their output is limited, because a text
 * may name a large value many times (docs/specification/automations.md#expressions).
 */

import { carryWritten, type JsonValue, writtenMember } from '../db/written-json.ts';
import {
  EXPRESSION,
  MAX_EXPRESSION_CHARS,
  OWN_EXPRESSION,
  parsePath,
  type Segments,
} from './expression-path.ts';

export type { Segments } from './expression-path.ts';

/** A value of JSON. */
export type Json = JsonValue;

/** The values of expressions: roots by name, such as `trigger`. */
export type Values = Readonly<Record<string, unknown>>;

/** A part of a definition with the expressions in it. */
export interface Template {
  /** True if it contains no expressions. */
  readonly isFixed: boolean;
  /** The paths of its expressions. */
  readonly paths: readonly Segments[];
  /** Returns the parts that consist of one expression without a value. */
  findNulls(values: Values): readonly NullPart[];
  /** @throws FlowError when the output is larger than `MAX_OUTPUT_CHARS`. */
  resolve(values: Values): Json;
}

/** A part of a value that is null because its expression has no value. */
export interface NullPart {
  /** Path in the value: `data.amount`. */
  readonly field: string;
  /** The expression as written: `{{trigger.entity.amount}}`. */
  readonly expression: string;
}

/**
 * The reason why a definition cannot be compiled, or a flow cannot continue; the message is for the author of the
 * definition.
 */
export class FlowError extends Error {
  /** Path in the compiled value: `headers.X-Total`, `[3]`; empty for the value itself. */
  readonly field: string;

  constructor(message: string, field = '') {
    super(message);
    this.name = 'FlowError';
    this.field = field;
  }
}

/** The largest output of one template, in characters of JSON. */
export const MAX_OUTPUT_CHARS = 1_000_000;
/** The deepest nesting of a value in a definition, and of a value that is read. */
export const MAX_DEPTH = 64;
/** The one function of expressions: it encodes a value for a URL. */
const URLENCODE = /^urlencode\s+/;

/**
 * The root of the records that relations of `trigger.entity` refer to. It contains a dot, so no expression can name it.
 */
export const RELATED_RECORDS = 'trigger.entity';

type Compiled = (values: Values, budget: OutputBudget) => Json;

/** A compiled path. */
interface Path {
  /** The text between the braces. */
  readonly text: string;
  readonly segments: Segments;
  readonly read: (values: Values) => Json;
}

/** Data that is collected while a value is compiled. */
interface Compilation {
  readonly ownTemplates: readonly string[];
  readonly paths: Segments[];
  /** Parts that consist of one expression. */
  readonly singles: { readonly field: string; readonly path: Path }[];
}

/** The remaining size of the output. */
interface OutputBudget {
  remaining: number;
}

/**
 * Compiles a value of a definition. `ownTemplates` are the paths of texts that are templates of another kind; their
 * braces are expressions only if they begin with `trigger.` or `actions.`.
 * @throws FlowError naming the text with an invalid path or an unclosed expression.
 */
export function compileTemplate(value: unknown, ownTemplates: readonly string[] = []): Template {
  const compiling: Compilation = { ownTemplates, paths: [], singles: [] };
  const { build, isFixed } = compileValue(value, '', 0, compiling);
  const { paths, singles } = compiling;
  return {
    ...{ isFixed, paths },
    resolve: (values) => build(values, { remaining: MAX_OUTPUT_CHARS }),
    findNulls: (values) =>
      singles
        .filter(({ path }) => path.read(values) === null)
        .map(({ field, path }) => ({ field, expression: `{{${path.text}}}` })),
  };
}

/** Compiles the inside of an expression, `trigger.entity.name`. @throws FlowError if it is not a path. */
export function compilePath(text: string): Path {
  return compile(text, false);
}

/** Compiles an expression of a text: a path, or `urlencode` and a path. A number keeps all its written digits. */
function compileExpression(inside: string): Path {
  const text = inside.trim();
  if (!URLENCODE.test(text)) return compile(text, true);
  const { segments, read } = compile(text.replace(URLENCODE, ''), true);
  return { text, segments, read: (values) => encodeForUrl(read(values)) };
}

/** Encodes a value for a URL: spaces, `&`, `/` and the like are percent-encoded. */
function encodeForUrl(value: Json): Json {
  return value === null ? null : encodeURIComponent(toText(value).toWellFormed());
}

function compile(text: string, keepsDigits: boolean): Path {
  const path = text.trim();
  if (path.length > MAX_EXPRESSION_CHARS)
    throw new FlowError(`must have expressions of at most ${MAX_EXPRESSION_CHARS} characters`);
  const segments = parsePath(path);
  if (segments === null || segments.length > MAX_DEPTH)
    throw new FlowError(
      `contains {{${path.slice(0, 100)}}}, which is not a path such as {{trigger.entity.name}} or {{trigger.body["First Name"]}}`,
    );
  const [root, member, relation = ''] = segments;
  const isOfEntity = `${root}.${member}` === RELATED_RECORDS && segments.length > 2;
  const inEntity = segments.slice(2);
  const read = (values: Values) => {
    const related = isOfEntity ? values[RELATED_RECORDS] : undefined;
    const isRelated = isObject(related) && Object.hasOwn(related, relation);
    return isRelated ? readPath(related, inEntity, keepsDigits) : readPath(values, segments, keepsDigits);
  };
  return { text: path, segments, read };
}

/** Returns the form of a value inside a text: empty for null, JSON for anything but text. */
export function toText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function readPath(values: Values, segments: readonly string[], keepsDigits: boolean): Json {
  let value: unknown = values;
  for (const [index, segment] of segments.entries()) {
    if (!isObject(value) || !Object.hasOwn(value, segment)) return null;
    // An array's own `length` is not a member of the JSON.
    if (Array.isArray(value) && segment === 'length') return null;
    const isLast = index === segments.length - 1;
    value = keepsDigits && isLast ? writtenMember(value, segment) : value[segment];
  }
  return isJson(value) ? value : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** True for values of JSON; others (a function, undefined) are read as null. */
function isJson(value: unknown): value is Json {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function compileValue(
  value: unknown,
  field: string,
  depth: number,
  compiling: Compilation,
): { readonly build: Compiled; readonly isFixed: boolean } {
  if (depth > MAX_DEPTH) throw new FlowError(`must not be nested deeper than ${MAX_DEPTH} levels`, field);
  if (typeof value === 'string') return compileText(value, field, compiling);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => compileValue(item, `${field}[${index}]`, depth + 1, compiling));
    return {
      isFixed: items.every(({ isFixed }) => isFixed),
      build: (values, budget) =>
        carryWritten(
          value,
          items.map(({ build }) => build(values, budget)),
        ),
    };
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => {
      const path = field === '' ? name : `${field}.${name}`;
      return [name, compileValue(member, path, depth + 1, compiling)] as const;
    });
    return {
      isFixed: members.every(([, { isFixed }]) => isFixed),
      // `fromEntries`, because a name may be `__proto__`.
      build: (values, budget) =>
        carryWritten(
          value,
          Object.fromEntries(members.map(([name, { build }]) => [name, build(values, budget)])),
        ),
    };
  }
  const fixed = isJson(value) ? value : null;
  return { isFixed: true, build: () => fixed };
}

function compileText(text: string, field: string, { ownTemplates, paths, singles }: Compilation) {
  const parts = ownTemplates.includes(field) ? splitOwnTemplate(text, field) : splitText(text, field);
  for (const part of parts) if (typeof part !== 'string') paths.push(part.segments);
  const [first, ...others] = parts;
  if (first !== undefined && others.length === 0) {
    if (typeof first === 'string') return { isFixed: true, build: () => first };
    singles.push({ field, path: first });
    return {
      isFixed: false,
      build: (values: Values, budget: OutputBudget) => charge(budget, first.read(values)),
    };
  }
  const build: Compiled = (values, budget) => {
    let output = '';
    for (const part of parts) {
      if (typeof part === 'string') output += part;
      else output += toText(charge(budget, part.read(values)));
    }
    return output;
  };
  return { isFixed: parts.length === 0, build: parts.length === 0 ? () => '' : build };
}

/** Splits a text into literal texts and expressions, in order. */
function splitText(text: string, field: string): (string | Path)[] {
  const parts: (string | Path)[] = [];
  let from = 0;
  for (const match of text.matchAll(EXPRESSION)) {
    if (match.index > from) parts.push(requireNoBraces(text.slice(from, match.index), field));
    parts.push(withField(() => compileExpression(match[1] ?? ''), field));
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(requireNoBraces(text.slice(from), field));
  return parts;
}

/** Like `splitText`, but other braces are part of the text. */
function splitOwnTemplate(text: string, field: string): (string | Path)[] {
  return text
    .split(OWN_EXPRESSION)
    .map((part, index) => (index % 2 === 0 ? part : withField(() => compileExpression(part), field)))
    .filter((part) => part !== '');
}

function requireNoBraces(text: string, field: string): string {
  if (text.includes('{{')) throw new FlowError('contains {{ without }}', field);
  return text;
}

function withField<T>(work: () => T, field: string): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof FlowError ? new FlowError(error.message, field) : error;
  }
}

/** Subtracts the size of a value from the budget. @throws FlowError when it exceeds the budget. */
function charge(budget: OutputBudget, value: Json): Json {
  budget.remaining -= sizeOf(value, budget.remaining, 0);
  if (budget.remaining < 0)
    throw new FlowError(`Its expressions produce more than ${MAX_OUTPUT_CHARS} characters.`);
  return value;
}

/** Returns the approximate length of a value's JSON; counting stops when it exceeds the budget. */
function sizeOf(value: Json, budget: number, depth: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  if (depth > MAX_DEPTH) throw new FlowError(`A value is nested deeper than ${MAX_DEPTH} levels.`);
  let size = 2;
  for (const [name, member] of Object.entries(value)) {
    size += name.length + 4 + sizeOf(member, budget - size, depth + 1);
    if (size > budget) break;
  }
  return size;
}
