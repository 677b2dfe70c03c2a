/** A record as answers and history show it, made from its fields: in JavaScript, in SQL and as a schema. */
import { type Expression, sql } from 'kysely';
import Type, { type TSchema } from 'typebox';
import { columnOf, type Field, type Fields } from './fields.ts';
import { fold, type Group, placesOf } from './places.ts';

type Row = Readonly<Record<string, unknown>>;

/** The places of an answer; lists leave some out. */
export function shownPlaces(fields: Fields, isList: boolean): Group {
  return placesOf(
    fields,
    (field) => field.kind === 'constant' || !(field.hidden || (isList && field.listed === false)),
  );
}

/**
 * Makes answers of rows. `Shown` is what the fields say that it is: the places and the types come from the same
 * description.
 */
export function viewOf<Stored extends object, Shown>(places: Group): (row: Stored) => Shown {
  const toValue = fold<(row: Row) => unknown>(
    places,
    ({ name, field }) => (field.kind === 'constant' ? () => field.value : columnReader(name, field)),
    (members) => (row) => {
      const shown: Record<string, unknown> = {};
      for (const [name, read] of members) shown[name] = read(row);
      return shown;
    },
  );
  return (row) => toValue(row as Row) as Shown;
}

/** The same as `viewOf` in SQL: JSON made of the columns of `table`. */
export function sqlView(places: Group, table: string): Expression<unknown> {
  return fold<Expression<unknown>>(
    places,
    ({ name, field }) =>
      field.kind === 'constant' ? sql`${sql.lit(field.value)}::text` : sqlValue(name, field, table),
    (members) => jsonObject(members.map(([name, value]) => sql`${sql.lit(name)}, ${value}`)),
  );
}

/** PostgreSQL functions take 100 arguments: half as many fields. */
const MAX_FIELDS = 50;

/** An object of names and values. One with many fields is put together of the text of several, as JSON has no `||`. */
function jsonObject(fields: readonly Expression<unknown>[]): Expression<unknown> {
  if (fields.length <= MAX_FIELDS) return sql`json_build_object(${sql.join(fields)})`;
  const first = jsonObject(fields.slice(0, MAX_FIELDS));
  const rest = jsonObject(fields.slice(MAX_FIELDS));
  return sql`(left(${first}::text, -1) || ', ' || substr(${rest}::text, 2))::json`;
}

/** The schema of answers. */
export function replySchema(places: Group): TSchema {
  return fold<TSchema>(
    places,
    ({ field }) => (field.kind === 'constant' ? Type.String() : fieldReply(field)),
    (members) => Type.Object(Object.fromEntries(members)),
  );
}

/** A schema that also takes null. */
export function nullable(schema: TSchema): TSchema {
  if (!('type' in schema) || typeof schema.type !== 'string') return Type.Union([schema, Type.Null()]);
  const values = 'enum' in schema && Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return Type.Unsafe<unknown>({ ...schema, ...values, type: [schema.type, 'null'] });
}

function columnReader(name: string, field: Field): (row: Row) => unknown {
  const column = columnOf(name, field);
  const { shown, whenNull } = field;
  if (shown) return (row) => shown.of(row[column]);
  if (whenNull !== undefined) return (row) => row[column] ?? whenNull;
  return (row) => row[column];
}

function sqlValue(name: string, field: Field, table: string): Expression<unknown> {
  const column = sql.ref(`${table}.${columnOf(name, field)}`);
  if (field.shown) return field.shown.sql(column);
  if (field.kind === 'time') {
    return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  }
  if (field.whenNull === undefined) return column;
  return sql`coalesce(${column}, ${sql.lit(JSON.stringify(field.whenNull))}::json)`;
}

/** Stored JSON leaves as it is: a declared shape would drop what it does not know. */
function fieldReply(field: Field): TSchema {
  if (field.shown) return field.shown.schema;
  if (field.kind === 'json' && !field.declared) return Type.Unknown({ description: 'As it was written.' });
  return field.nullable && field.whenNull === undefined ? nullable(field.schema) : field.schema;
}
