import type { StaticEncode, TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { AppError, type ErrorDefinition, fieldAt, type Issue, MAX_ISSUES } from '../errors/app-error.ts';
import { invalidRequest } from '../errors/platform-errors.ts';
import { lazy } from '../lazy.ts';
import { type BodyCheck, runChecks } from './body-checks.ts';

Settings.Set({ maxErrors: MAX_ISSUES });

/** Checks a value against a schema compiled once; returns it (converted, for query strings) or throws a 400. */
export type Check = (value: unknown) => unknown;

/** Like `Check`, with the current time for rules that need it. */
export type CheckBody<Body = unknown> = (value: unknown, now: Date) => Body;

/**
 * Compiles the check of a JSON body from its schema and the route's own checks, of which the first ones come before the
 * schema. Unknown fields are ignored (docs/specification/conventions.md#bodies).
 */
export function compileBodyCheck<S extends TSchema>(
  schema: S,
  invalid: ErrorDefinition,
  checks: readonly BodyCheck<unknown>[] = [],
  firstChecks: readonly BodyCheck<unknown>[] = [],
): CheckBody<StaticEncode<S>> {
  // Compiled by the first request: compiling several hundred schemas at startup would be wasted on most processes.
  const validator = lazy(() => Compile(schema));
  return (value, now) => {
    if (value === undefined) {
      throw new AppError(invalid, { issues: [{ message: 'A JSON body is required.' }] });
    }
    for (const find of firstChecks) {
      const issues = find(value, () => true, now);
      if (issues.length > 0) throw new AppError(invalid, { issues });
    }
    const isValid = validator().Check(value);
    const errors = isValid ? [] : validator().Errors(value);
    const found = toIssues(errors, schema);
    // The list of errors is limited, and several errors can be one issue: a full list does not show which other places
    // are valid.
    const isComplete = errors.length < MAX_ISSUES;
    const issues = [...found, ...(isComplete ? runChecks(checks, value, found, now) : [])];
    if (!isValid || issues.length > 0) throw new AppError(invalid, { issues: issues.slice(0, MAX_ISSUES) });
    return value;
  };
}

/** Compiles the check of query or path parameters: text becomes numbers and booleans, defaults are filled in. */
export function compileParameterCheck<S extends TObject>(schema: S): (value: unknown) => StaticEncode<S> {
  // Compiled by the first request: compiling several hundred schemas at startup would be wasted on most processes.
  const validator = lazy(() => Compile(schema));
  const isText = hasOnlyText(schema);
  return (value) => {
    if (isText && validator().Check(value)) return value;
    const converted = validator().Default(convertText(schema, value));
    if (validator().Check(converted)) return converted;
    throw invalidRequest(toIssues(validator().Errors(converted), schema));
  };
}

/** True if there is nothing to convert and nothing to fill in. */
function hasOnlyText({ properties }: TObject): boolean {
  return Object.values(properties).every(
    (property) => 'type' in property && property.type === 'string' && !('default' in property),
  );
}

/**
 * Converts text to a number or a boolean only if it is exactly one: `1.5` and `1e3` are not integers. A list may
 * be given once or several times, as `name`, `name[]` or with an index, `name[0]`.
 */
function convertText(schema: TObject, value: unknown): unknown {
  const converted = new Map<string, unknown>();
  for (const [parameter, text] of Object.entries(value ?? {})) {
    const name = listNameOf(schema, parameter) ?? parameter;
    if (isList(schema, name)) converted.set(name, [...listAt(converted, name), ...[text].flat()]);
    else converted.set(name, convertOne(typeOf(schema, name), text));
  }
  return Object.fromEntries(converted);
}

/** Returns the name of the list that a parameter adds to; null if it is not a list, or has a name of its own. */
function listNameOf(schema: TObject, parameter: string): string | null {
  if (Object.hasOwn(schema.properties, parameter)) return null;
  const name = parameterName(parameter);
  return [name, `${name}[]`].find((each) => isList(schema, each)) ?? null;
}

/** The name of a parameter without the brackets that mark an item of a list. */
export function parameterName(parameter: string): string {
  return parameter.replace(/\[\d{0,9}\]$/, '');
}

function convertOne(type: unknown, text: unknown): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(String(text)))
    return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function typeOf({ properties }: TObject, name: string): unknown {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return property && 'type' in property ? property.type : undefined;
}

function isList(schema: TObject, name: string): boolean {
  return typeOf(schema, name) === 'array';
}

function listAt(lists: ReadonlyMap<string, unknown>, name: string): readonly unknown[] {
  const list = lists.get(name);
  return Array.isArray(list) ? list : [];
}

/** Makes one issue per place. A union is described after its alternatives. */
function toIssues(errors: readonly TLocalizedValidationError[], schema: TSchema): Issue[] {
  const issues = new Map<string, Issue>();
  const relevant = withoutOtherKinds(errors);
  const alternatives = Map.groupBy(relevant, ({ instancePath }) => instancePath);
  const addMember = (field: string, name: string, message: string) => {
    const path = field === '' ? name : `${field}.${name}`;
    issues.set(path, { field: path, message });
  };
  for (const error of relevant) {
    const field = toFieldPath(error.instancePath);
    if (error.keyword === 'required') {
      for (const name of error.params.requiredProperties)
        addMember(field, name, describeMissing(schema, `${error.schemaPath}/properties/${name}`));
    } else if (error.keyword === 'additionalProperties') {
      for (const name of error.params.additionalProperties) addMember(field, name, 'is not allowed here');
    } else if (field === '') {
      issues.set('', { message: `The request ${error.message}.` });
    } else if (error.keyword === 'anyOf' && hasIssueBelow(issues, field)) {
      // The errors of the alternatives, further down, are more specific.
      issues.delete(field);
    } else if (error.keyword === 'anyOf' || error.keyword === 'const') {
      issues.set(field, { field, message: describeUnion(alternatives.get(error.instancePath) ?? []) });
    } else {
      issues.set(field, { field, message: describe(error) });
    }
  }
  return [...issues.values()];
}

/**
 * Keeps only the errors of the intended alternative of a union if a constant distinguishes its alternatives. If the
 * value matches none of them, the constants are reported.
 */
function withoutOtherKinds(errors: readonly TLocalizedValidationError[]): TLocalizedValidationError[] {
  const remaining = new Set(errors);
  for (const union of errors.filter(({ keyword }) => keyword === 'anyOf')) {
    const prefix = `${union.schemaPath}/anyOf/`;
    const path = union.instancePath;
    const below = errors.filter(
      ({ schemaPath, instancePath }) =>
        schemaPath.startsWith(prefix) && (instancePath === path || instancePath.startsWith(`${path}/`)),
    );
    const alternatives = Map.groupBy(
      below,
      ({ schemaPath }) => schemaPath.slice(prefix.length).split('/')[0],
    );
    // Only a member of the value itself: a constant further down belongs to another union.
    const isKind = ({ keyword, instancePath }: TLocalizedValidationError) =>
      keyword === 'const' && /^\/[^/]+$/.test(instancePath.slice(path.length));
    const others = [...alternatives.values()].filter((kindErrors) => kindErrors.some(isKind));
    const isMeant = others.length < alternatives.size;
    for (const error of others.flat()) if (isMeant || !isKind(error)) remaining.delete(error);
  }
  return [...remaining];
}

function hasIssueBelow(issues: ReadonlyMap<string, Issue>, field: string): boolean {
  return [...issues.keys()].some((key) => key.startsWith(`${field}.`) || key.startsWith(`${field}[`));
}

/** The expected types of the alternatives, unless the value already has one of them. */
function describeUnion(errors: readonly TLocalizedValidationError[]): string {
  const kindErrors = errors.filter(({ keyword }) => keyword !== 'anyOf');
  const closest = kindErrors.find(({ keyword }) => keyword !== 'type' && keyword !== 'const');
  if (closest) return describe(closest);
  const allowed = kindErrors.flatMap((error) => {
    if (error.keyword === 'type') return [error.params.type].flat();
    return error.keyword === 'const' ? [JSON.stringify(error.params.allowedValue)] : [];
  });
  return `must be ${allowed.join(' or ')}`;
}

/** Names of formats in messages. */
const FORMATS: Readonly<Record<string, string>> = {
  email: 'email address',
  uri: 'URL',
  uuid: 'UUID',
  date: 'date (YYYY-MM-DD)',
  'date-time': 'date and time (ISO 8601)',
};

/** Returns the message of an error. Replaces those of the validator that are hard to read. */
function describe({ keyword, params, message }: TLocalizedValidationError): string {
  switch (keyword) {
    case 'enum':
      return `must be one of ${params.allowedValues.map(String).join(', ')}`;
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must be at least ${params.limit} characters`;
    case 'maxLength':
      return `must be at most ${count(params.limit, 'character')}`;
    case 'minItems':
      return `must have at least ${count(params.limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${count(params.limit, 'item')}`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'exclusiveMinimum':
      return `must be greater than ${params.limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${params.limit}`;
    case 'format':
      return `must be a valid ${FORMATS[params.format] ?? params.format}`;
    default:
      return message;
  }
}

function count(limit: number | bigint, noun: string): string {
  return `${limit} ${noun}${Number(limit) === 1 ? '' : 's'}`;
}

/** Says that a member is missing; if its schema at `path` allows certain values only, names them. */
function describeMissing(schema: TSchema, path: string): string {
  const choices = valueAt(schema, [...path.split('/').slice(1), 'enum']);
  return Array.isArray(choices) ? `is required: one of ${choices.map(String).join(', ')}` : 'is required';
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** `/pages/0/name` becomes `pages[0].name`. A key that only looks like an index, such as `007`, is a member's name. */
function toFieldPath(pointer: string): string {
  const steps = pointer.split('/').slice(1);
  return fieldAt(
    steps.map((step) =>
      /^(?:0|[1-9]\d{0,8})$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~'),
    ),
  );
}
