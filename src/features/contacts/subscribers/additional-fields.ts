/**
 * Additional fields of subscribers (docs/specification/subscribers.md#subscriber). A definition of a field is optional;
 * it determines how values are checked and compared.
 */

import { type RawBuilder, sql } from 'kysely';
import type { Issue } from '../../../errors/app-error.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import type { FieldSql, FilterField } from '../../../resources/filter-field.ts';
import { OPERATIONS } from '../../../resources/filter-sql.ts';
import { isTime } from '../../../resources/filter-values.ts';
import { MAX_ITEMS } from './schema.ts';

/** Definitions of fields, by name. */
export type Definitions = Readonly<Record<string, { readonly type: string }>>;

/** Prefix of additional fields in filters. */
const PREFIX = 'additional_fields_data.';
const NAME = /^[A-Za-z0-9_]{1,64}$/;

/** Kind of the values of a defined field. */
export type Kind = 'text' | 'number' | 'boolean' | 'time';

/** Operations that ignore their value. */
const VALUELESS = Object.entries(OPERATIONS).flatMap(([operation, { takes }]) =>
  takes === 'nothing' ? [operation] : [],
);

/** Kinds of defined types; values of other types are not checked. */
const KINDS: Readonly<Record<string, Kind>> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'time',
};
const MESSAGES: Readonly<Record<Kind, string>> = {
  text: 'must be a string',
  number: 'must be a number',
  boolean: 'must be true or false',
  time: 'must be an ISO 8601 date',
};

/** Finds invalid field names. Filters cannot reference such fields. */
export function findNameIssues(names: readonly string[]): Issue[] {
  const message = 'must have a name of 1 to 64 letters, digits and underscores (A-Z, a-z, 0-9, _)';
  return names.filter((name) => !NAME.test(name)).map((name) => ({ field: `${PREFIX}${name}`, message }));
}

/** Finds values that do not match their definitions, and invalid names. */
export function findValueIssues(
  values: Readonly<Record<string, unknown>>,
  definitions: Definitions,
): Issue[] {
  const mistyped = Object.entries(values).flatMap(([name, value]) => {
    const kind = kindOf(definitions, name);
    if (kind === undefined || isOfKind(kind, value)) return [];
    return [{ field: `${PREFIX}${name}`, message: MESSAGES[kind] }];
  });
  return [...findNameIssues(Object.keys(values)), ...mistyped];
}

/** Returns the issue if the merged values would exceed the limits of a body; else null. */
export function findMergeIssue(current: object, values: object): Issue | null {
  const merged = { ...current, ...values };
  const field = 'additional_fields_data';
  if (Object.keys(merged).length > MAX_ITEMS)
    return { field, message: `must have at most ${MAX_ITEMS} values` };
  if (Buffer.byteLength(JSON.stringify(merged)) > CONTENT_BODY_BYTES)
    return { field, message: `must have at most ${CONTENT_BODY_BYTES} bytes of JSON` };
  return null;
}

/** SQL of the size in bytes of a subscriber's values as text; null without values. */
export function bytesOfValues(
  tenantId: string,
  subscriberId: RawBuilder<unknown>,
): RawBuilder<number | null> {
  return sql<number | null>`(
    select octet_length(p.additional_fields_data::text) from subscribers p
    where p.tenant_id = ${tenantId}::uuid and p.id = ${subscriberId})`;
}

/** An additional field of any name, for the API's documentation. */
export const ANY_FILTER_FIELD = {
  [`${PREFIX}<name>`]: { type: 'text, number, boolean or time' },
} as const;

/** Returns the additional fields in filters, with the kind of the definition, else that of the compared value. */
export function filterFieldsOf(
  filters: Readonly<Record<string, unknown>>,
  definitions: Definitions,
): Readonly<Record<string, FilterField>> {
  const named = Object.entries(filters).flatMap(([key, filter]) => {
    const name = key.startsWith(PREFIX) ? key.slice(PREFIX.length) : '';
    if (!NAME.test(name)) return [];
    const kind = kindOf(definitions, name) ?? kindOfOperand(filter);
    const found = { field: name, kind: kind === 'boolean' ? 'text' : kind } as const;
    return [[key, { type: kind, sql: storedValue(name, kind), found }] as const];
  });
  return Object.fromEntries(named);
}

/** Returns the defined kind of a field; undefined if its values can be of any kind. */
export function kindOf(definitions: Definitions, name: string): Kind | undefined {
  const type = Object.hasOwn(definitions, name) ? definitions[name]?.type : undefined;
  return type !== undefined && Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
}

/** Returns the kind of the first value that a filter compares with. */
function kindOfOperand(filter: unknown): Kind {
  const [operand] = operandsOf(filter);
  const value: unknown = Array.isArray(operand) ? operand[0] : operand;
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return isTime(value) ? 'time' : 'text';
}

/** Returns the values of `{operation, value}` or `{<operation>: value, ...}`, without ignored ones. */
function operandsOf(filter: unknown): unknown[] {
  if (typeof filter !== 'object' || filter === null) return [];
  if ('operation' in filter) return 'value' in filter ? [filter.value] : [];
  return Object.entries(filter).flatMap(([operation, value]) =>
    VALUELESS.includes(operation) ? [] : [value],
  );
}

function isOfKind(kind: Kind, value: unknown): boolean {
  if (kind === 'time') return isTime(value);
  return typeof value === (kind === 'text' ? 'string' : kind);
}

/** SQL of a stored value of one kind; null for other kinds. */
function storedValue(name: string, kind: Kind): FieldSql {
  const stored = sql.ref('subscribers.additional_fields_data');
  const json = sql`(${stored} -> ${sql.lit(name)}::text)`;
  const text = sql`(${stored} ->> ${sql.lit(name)}::text)`;
  const values = {
    text,
    number: sql`case json_typeof(${json}) when 'number' then ${text}::double precision end`,
    boolean: sql`case json_typeof(${json}) when 'boolean' then ${text}::boolean end`,
    time: sql`tessera_time_of(${text})`,
  };
  return (compare) => compare(values[kind]);
}
