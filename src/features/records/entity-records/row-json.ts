/** Builds the JSON of records in the database, so that this process need not parse and serialize them. */
import { type RawBuilder, sql } from 'kysely';
import type { AnyQuery } from '../../../resources/compiled-statements.ts';
import type { EntityModel } from '../entities/index.ts';
import { shownFields } from './shown-fields.ts';

/** Returns the JSON of a row of `table`: all fields, or only the named ones. */
export function rowJson(
  query: AnyQuery,
  model: EntityModel,
  table: string,
  names: readonly string[] | null = null,
): RawBuilder<string> {
  const fields = shownFields(model);
  const selected = names === null ? [...fields.values()] : names.flatMap((name) => fields.get(name) ?? []);
  const shown = query
    .selectNoFrom(
      selected.map((field) => shownValue(`${table}.${field.column}`, field.type === 'time').as(field.name)),
    )
    .as('shown');
  return sql<string>`${query.selectFrom(shown).select(sql`row_to_json(shown)::text`.as('json'))}`;
}

/** Returns a column as in responses: times in UTC with milliseconds (docs/specification/conventions.md#bodies). */
export function shownValue(column: string, isTime: boolean): RawBuilder<unknown> {
  const value = sql.ref(column);
  return isTime ? sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : sql`${value}`;
}
