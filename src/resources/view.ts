/** The JSON of a record in responses and history, derived from its fields: in JavaScript, in SQL and as a schema. */
import { type Expression, sql } from 'kysely';
import Type, { type TObject, type TSchema, type TUnsafe } from 'typebox';
import { asWritten, nullable } from '../http/schemas.ts';
import { fold, groupFields, groupTitle } from './field-groups.ts';
import { columnOf, type Field, type Fields, type ValueConversion } from './fields.ts';

/** SQL of computed columns of a table or alias, by column. */
export type ComputedColumns = ReadonlyMap<string, (table: string) => Expression<unknown>>;

/** The columns to read from this table or alias: stored and computed ones. */
export function readColumns(
  { computed }: { readonly computed: ComputedColumns },
  columns: readonly string[],
  table: string,
) {
  return columns.map((column) => {
    const expression = computed.get(column)?.(table) ?? sql.ref(`${table}.${column}`);
    return sql`${expression}`.as(column);
  });
}

/** A member or object of a response. `of` returns undefined if it is omitted. */
interface Part {
  readonly schema: TSchema;
  readonly of: (row: object) => unknown;
  readonly sql: (table: string) => Expression<unknown>;
  readonly omitsNull?: true | undefined;
}

/** The JSON of records in responses; `sql` builds the same JSON from the columns of `table`. */
export interface View<Stored extends object, Shown> {
  readonly schema: TUnsafe<Shown>;
  readonly of: (row: Stored) => Shown;
  readonly sql: (table: string) => Expression<unknown>;
}

/**
 * Builds the view of records; lists omit some fields. `Shown` must be the type that follows from these fields
 * (`ViewOf`).
 */
export function viewOf<Stored extends object, Shown>(
  fields: Fields,
  isList: boolean,
  title?: string,
): View<Stored, Shown> {
  const group = groupFields(
    fields,
    (field) => field.kind === 'constant' || !(field.hidden || (isList && field.listed === false)),
  );
  const view = fold<Part>(
    group,
    ({ name, field }) =>
      field.kind === 'constant'
        ? {
            schema: Type.Literal(field.value),
            of: () => field.value,
            sql: () => sql`${sql.lit(field.value)}::text`,
          }
        : partOf(field, columnOf(name, field)),
    (members, group) => ({
      schema: Type.Object(
        Object.fromEntries(members.map(([name, { schema }]) => [name, schema])),
        groupTitle(title, group),
      ),
      of: (row) => {
        const shown: Record<string, unknown> = {};
        for (const [name, part] of members) {
          const value = part.of(row);
          if (value !== undefined) shown[name] = value;
        }
        return shown;
      },
      sql: (table) => sqlGroup(members, table),
    }),
  );
  return {
    schema: Type.Unsafe<Shown>(view.schema),
    // `Shown` follows from the fields, but the compiler knows only that the value is an object.
    of: (row): Shown => Object(view.of(row)),
    sql: view.sql,
  };
}

function partOf(field: Field, column: string): Part {
  const shown = field.shown ?? asStored(field);
  return {
    schema: shown.schema,
    of: (row) => shown.of(Reflect.get(row, column)),
    sql: (table) => shown.sql(sql.ref(`${table}.${column}`)),
    omitsNull: field.omitsNull,
  };
}

/** A stored value, shown unchanged; in SQL, times are text as JavaScript writes them. */
function asStored(field: Field): ValueConversion {
  const { kind, whenNull, omitsNull } = field;
  return {
    schema: schemaOf(field),
    of: whenNull === undefined && !omitsNull ? (stored) => stored : (stored) => stored ?? whenNull,
    sql: (column) => {
      if (kind === 'time') return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
      if (whenNull === undefined) return column;
      return sql`coalesce(${column}, ${sql.lit(JSON.stringify(whenNull))}::json)`;
    },
  };
}

/** Stored JSON is returned unchanged: serializing it by its schema would drop unknown members. */
function schemaOf(field: Field): TSchema {
  const shape = storedShape(field);
  const schema = field.kind === 'json' && !field.declared ? asWritten(shape) : shape;
  return field.omitsNull ? Type.Optional(schema) : schema;
}

function storedShape({ schema, nullable: takesNull, omitsNull, whenNull }: Field): TSchema {
  if (omitsNull || !takesNull || whenNull !== undefined) return schema;
  if ('title' in schema || !('type' in schema) || typeof schema.type !== 'string') return nullable(schema);
  const values = 'enum' in schema && Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return Type.Unsafe<unknown>({ ...schema, ...values, type: [schema.type, 'null'] });
}

/** Returns the schema of an object with the properties of `schema` and `more`, and no other options but `title`. */
export function withMore(schema: TSchema, more: Readonly<Record<string, TSchema>>, title?: string): TObject {
  const own = 'properties' in schema ? Object(schema.properties) : {};
  return Type.Object({ ...own, ...more }, title === undefined ? {} : { title });
}

/** Builds a JSON object. Members that are omitted while null come last, each inserted before the closing brace. */
function sqlGroup(members: readonly (readonly [string, Part])[], table: string): Expression<unknown> {
  const always = members.filter(([, { omitsNull }]) => !omitsNull);
  return members.reduce(
    (built, [name, part]) =>
      part.omitsNull
        ? sql`(left(${built}::text, -1)
            || coalesce(${sql.lit(`, ${JSON.stringify(name)}: `)} || to_json(${part.sql(table)})::text, '') || '}')::json`
        : built,
    jsonObject(always.map(([name, part]) => sql`${sql.lit(name)}, ${part.sql(table)}`)),
  );
}

/** Maximum number of fields of one `json_build_object`: PostgreSQL functions take 100 arguments, two per field. */
const MAX_FIELDS = 50;

/**
 * A JSON object of names and values. With many fields, it is concatenated from the text of several objects, because
 * `json` has no `||`.
 */
function jsonObject(fields: readonly Expression<unknown>[]): Expression<unknown> {
  if (fields.length <= MAX_FIELDS) return sql`json_build_object(${sql.join(fields)})`;
  const first = jsonObject(fields.slice(0, MAX_FIELDS));
  const rest = jsonObject(fields.slice(MAX_FIELDS));
  return sql`(left(${first}::text, -1) || ', ' || substr(${rest}::text, 2))::json`;
}
