/** Lists that return only the members that the request chose, and read only their columns. */
import { invalidRequest } from '../errors/platform-errors.ts';
import { type Constant, columnOf, type Field, type Fields } from './fields.ts';
import { sortsOf } from './list-order.ts';
import type { Resource, ResourceTypes } from './resource.ts';
import { viewOf } from './view.ts';

/**
 * Returns a resource whose lists show only these members; `others` are members that the route adds itself.
 * @throws AppError INVALID_REQUEST listing the valid members.
 */
export function withMembersOnly<T extends ResourceTypes>(
  resource: Resource<T>,
  members: readonly string[],
  others: readonly string[],
): Resource<T> {
  const listed = Object.entries(resource.fields).filter(([, field]) => isListed(field));
  const allowed = [...new Set([...listed.map(memberOf), ...others])];
  requireMembers(members, allowed);
  const chosen = listed.filter((named) => members.includes(memberOf(named)));
  const name = chosen.map(([each]) => each).join();
  const cached = resource.choices.get(name);
  if (cached) return cached;
  const choice = withFields(resource, Object.fromEntries(chosen));
  resource.choices.set(name, choice);
  return choice;
}

/** Checks the chosen members. @throws AppError INVALID_REQUEST for names that are not allowed. */
export function requireMembers(members: readonly string[], allowed: readonly string[]): void {
  const issues = members.flatMap((name, index) =>
    allowed.includes(name)
      ? []
      : [{ field: `fields[${index}]`, message: `must be one of ${allowed.join(', ')}` }],
  );
  if (issues.length > 0) throw invalidRequest(issues);
}

/** Returns a copy of the object with these members only. */
export function pickMembers(object: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

/** Returns a variant of the resource with these fields in lists. */
function withFields<T extends ResourceTypes>(resource: Resource<T>, fields: Fields): Resource<T> {
  const { key, listColumns, largeColumns } = resource;
  const shown = Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'constant' ? [] : [columnOf(name, field)],
  );
  const needed = new Set(['tenant_id', 'created_at', ...sortsOf(resource), ...key.columns, ...shown]);
  const { of, sql } = viewOf<T['row'], T['view']>(fields, true);
  return {
    ...resource,
    listColumns: listColumns.filter((column) => needed.has(column)),
    largeColumns: largeColumns.filter((column) => needed.has(column)),
    listView: of,
    sqlListView: sql,
  };
}

function isListed(field: Field | Constant): boolean {
  return field.kind === 'constant' || !(field.hidden || field.listed === false);
}

/** The member of a result that contains a field. */
function memberOf([name, { at = name }]: readonly [string, Field | Constant]): string {
  return at.split('.', 1)[0] ?? at;
}
