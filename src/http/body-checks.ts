/**
 * Rules of a body that a schema cannot express and that need no database: a route's `checks`. They run together with
 * the schema, on the parts in which it finds no fault, so that one response lists all faults.
 */
import type { Issue } from '../errors/app-error.ts';

/**
 * Finds faults in a body, of which only its `places` are known to be valid. (A method type, so that the server can pass
 * any body to a check that knows its own.)
 */
export type BodyCheck<Body> = {
  find(body: Body, isValid: (path: string) => boolean, now: Date): readonly Issue[];
}['find'];

/** A check that reads these places, such as `target.url`, and runs when all of them are valid. */
export function check<Body>(
  paths: readonly string[],
  find: (body: Body, now: Date) => readonly Issue[],
): BodyCheck<Body> {
  return (body, isValid, now) => (paths.every(isValid) ? find(body, now) : []);
}

/** A check of each valid item of a list field of the body. */
export function checkEach<Field extends string, Item>(
  field: Field,
  find: (item: Item, path: string) => readonly Issue[],
): BodyCheck<{ readonly [Name in Field]?: readonly Item[] | undefined }> {
  return (body, isValid) => {
    const items: unknown = body[field];
    if (!Array.isArray(items)) return [];
    return items.flatMap((item: Item, index) => {
      const path = `${field}[${index}]`;
      return isValid(path) ? find(item, path) : [];
    });
  };
}

/** The fault of a value whose JSON is longer than allowed. */
export function overlongFaults(field: string, value: unknown, max: number): Issue[] {
  const isLong = (JSON.stringify(value) ?? '').length > max;
  return isLong ? [{ field, message: `must have at most ${max} characters as JSON` }] : [];
}

/** Returns the faults that a route's checks find. `schemaIssues` must be all issues of the schema. */
export function runChecks(
  checks: readonly BodyCheck<unknown>[],
  body: unknown,
  schemaIssues: readonly Issue[],
  now: Date,
): Issue[] {
  const isUnusable = schemaIssues.some(({ field }) => field === undefined);
  if (isUnusable) return [];
  const faulty = schemaIssues.flatMap(({ field }) => field ?? []);
  const isValid = (path: string) => !faulty.some((field) => isWithin(path, field) || isWithin(field, path));
  return checks.flatMap((find) => [...find(body, isValid, now)]);
}

/** True if `inner` is `outer` or lies inside it. */
function isWithin(inner: string, outer: string): boolean {
  return inner.startsWith(outer) && /^(?:[.[]|$)/.test(inner.slice(outer.length, outer.length + 1));
}
