/**
 * Values that a tenant keeps of people beside the usual ones (docs/specification/subscribers.md#subscriber). They need no
 * definition; one that has is checked and compared as it says.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Issue } from '../../errors/app-error.ts';
import { MAX_BODY_BYTES } from '../../http/json-body.ts';
import type { FieldSql } from '../../resources/filter-sql.ts';
import { isTime } from '../../resources/filter-values.ts';
import type { FilterField } from '../../resources/filters.ts';
import { MAX_ITEMS } from './schema.ts';

/** What is defined of fields, by name. */
export type Definitions = Readonly<Record<string, { readonly type: string }>>;

/** What filters call them. */
const PREFIX = 'additional_fields_data.';
const NAME = /^[A-Za-z0-9_]{1,64}$/;

/** What values of a defined field are. */
export type Kind = 'text' | 'number' | 'boolean' | 'time';

/** What defined types hold; values of others are not looked at. */
const KINDS: Readonly<Record<string, Kind>> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'time',
};
const WORDS: Readonly<Record<Kind, string>> = {
  text: 'must be a string',
  number: 'must be a number',
  boolean: 'must be true or false',
  time: 'must be an ISO 8601 date',
};

/** The fields that cannot be called so: filters could not name them. */
export function findNameIssues(names: readonly string[]): Issue[] {
  const message = 'must have a name of 1 to 64 letters, digits and underscores (A-Z, a-z, 0-9, _)';
  return names.filter((name) => !NAME.test(name)).map((name) => ({ field: `${PREFIX}${name}`, message }));
}

/** Names the values that are not what their definitions say, and those whose fields cannot be called so. */
export function findValueIssues(
  values: Readonly<Record<string, unknown>>,
  definitions: Definitions,
): Issue[] {
  const wrong = Object.entries(values).flatMap(([name, value]) => {
    const kind = kindOf(definitions, name);
    if (kind === undefined || isOfKind(kind, value)) return [];
    return [{ field: `${PREFIX}${name}`, message: WORDS[kind] }];
  });
  return [...findNameIssues(Object.keys(values)), ...wrong];
}

/** Why values cannot be merged into those that somebody has: together they have no more than a body may have. Null: they can. */
export function findMergeIssue(kept: object, values: object): Issue | null {
  const merged = { ...kept, ...values };
  const field = 'additional_fields_data';
  if (Object.keys(merged).length > MAX_ITEMS)
    return { field, message: `must not have more than ${MAX_ITEMS} values` };
  if (Buffer.byteLength(JSON.stringify(merged)) > MAX_BODY_BYTES)
    return { field, message: `must not have more than ${MAX_BODY_BYTES} octets of JSON` };
  return null;
}

/** SQL: how many octets the values of a subscriber have as text; null for one who has none. */
export function octetsOfValues(
  tenantId: string,
  subscriberId: RawBuilder<unknown>,
): RawBuilder<number | null> {
  return sql<number | null>`(
    select octet_length(p.additional_fields_data::text) from subscribers p
    where p.tenant_id = ${tenantId}::uuid and p.id = ${subscriberId})`;
}

/** Such a field of any name, as the API's documentation shows it. */
export const ANY_FILTER_FIELD = {
  [`${PREFIX}<name>`]: { type: 'text, number, boolean or time' },
} as const;

/** The fields that these filters name, each as its definition says, else as the value that it is compared with. */
export function filterFieldsOf(
  filters: Readonly<Record<string, unknown>>,
  definitions: Definitions,
): Readonly<Record<string, FilterField>> {
  const named = Object.entries(filters).flatMap(([place, filter]) => {
    const name = place.startsWith(PREFIX) ? place.slice(PREFIX.length) : '';
    if (!NAME.test(name)) return [];
    const kind = kindOf(definitions, name) ?? kindOfOperand(filter);
    const found = { field: name, kind: kind === 'boolean' ? 'text' : kind } as const;
    return [[place, { type: kind, sql: storedValue(name, kind), found }] as const];
  });
  return Object.fromEntries(named);
}

/** The kind of a field's values as it is defined; undefined: any. */
export function kindOf(definitions: Definitions, name: string): Kind | undefined {
  const type = Object.hasOwn(definitions, name) ? definitions[name]?.type : undefined;
  return type !== undefined && Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
}

function kindOfOperand(filter: unknown): Kind {
  const given = typeof filter === 'object' && filter !== null && 'value' in filter ? filter.value : undefined;
  const value: unknown = Array.isArray(given) ? given[0] : given;
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return isTime(value) ? 'time' : 'text';
}

function isOfKind(kind: Kind, value: unknown): boolean {
  if (kind === 'time') return isTime(value);
  return typeof value === (kind === 'text' ? 'string' : kind);
}

/** A value of one kind; null when the stored one is of another. */
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
