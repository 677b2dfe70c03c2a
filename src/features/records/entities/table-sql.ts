/**
 * Steps of a plan as SQL. Names come from validated definitions and are quoted; values are literals, since DDL takes
 * no parameters.
 */
import { type RawBuilder, sql } from 'kysely';
import { APP_ROLE } from '../../../db/app-role.ts';
import { constraintName, totalsTableOf } from './names.ts';
import { type ColumnType, columnTypeOf, type Rule, type Step } from './plan.ts';
import type { Definition, FieldType } from './schema.ts';
import { WORD_SEPARATORS } from './search-words.ts';
import type { StoredField } from './stored-field.ts';

type Sql = RawBuilder<unknown>;

/** Location of a table. */
export interface TablePlace {
  readonly schema: string;
  readonly entity: string;
}

/**
 * Limit of indexed text: a tsvector holds 1 MiB. A character takes at most eight bytes of it: four bytes, twice,
 * because words of letters and digits are indexed both whole and in parts. Each word takes five more.
 */
const SEARCHED_CHARS = 100_000;

/**
 * Creates the schema of a tenant with its tables of totals: per entity, and per unit for records that units own. A
 * total is spread over slots. On a cluster all tables of a schema are on one node. Each table is created by its own
 * statement so that the cluster registers it.
 */
export function schemaStatements(schema: string, isSharded: boolean): Sql[] {
  const role = sql.id(APP_ROLE);
  return [
    ...(isSharded ? [sql`set local citus.enable_schema_based_sharding = on`] : []),
    sql`create schema ${sql.id(schema)}`,
    sql`grant usage on schema ${sql.id(schema)} to ${role}`,
    ...TOTALS.flatMap(({ name, unit }) => {
      const table = sql.id(schema, name);
      const units = unit ? [sql`owner_bu_id uuid not null`] : [];
      const columns = [sql`tenant_id uuid not null`, sql`entity text not null`, ...units];
      const key = [...['tenant_id', 'entity'], ...(unit ? ['owner_bu_id'] : []), 'slot'].map((each) =>
        sql.id(each),
      );
      return [
        sql`create table ${table} (${sql.join(columns)}, slot int not null, records bigint not null, primary key (${sql.join(key)}))`,
        isolate({ schema, entity: name }),
        sql`grant select, insert, update, delete on ${table} to ${role}`,
      ];
    }),
  ];
}

const TOTALS = [
  { name: totalsTableOf({ owned_by: 'tenant' }), unit: false },
  { name: totalsTableOf({ owned_by: 'business_unit' }), unit: true },
];

function isolate({ schema, entity }: TablePlace): Sql {
  return sql`select public.tessera_isolate_records(${sql.lit(`"${schema}"."${entity}"`)}::regclass)`;
}

/** Deletes the totals of an entity whose table is dropped. */
export function deleteTotal(place: TablePlace, definition: Definition): Sql {
  const table = sql.id(place.schema, totalsTableOf(definition));
  return sql`delete from ${table} where entity = ${sql.lit(place.entity)}`;
}

/** Returns the statements of these steps, in order. */
export function statementsOf(place: TablePlace, steps: readonly Step[]): Sql[] {
  return steps.flatMap((step) => statementsOfStep(place, step));
}

/** Returns the quoted name of a table. */
export function tableOf({ schema, entity }: TablePlace): Sql {
  return sql.id(schema, entity);
}

function statementsOfStep(place: TablePlace, step: Step): Sql[] {
  const table = tableOf(place);
  const alter = (action: Sql) => [sql`alter table ${table} ${action}`];
  switch (step.do) {
    case 'create_table':
      return createTable(place, step.isOwned, step.fields);
    case 'drop_table':
      return [sql`drop table ${table}`];
    case 'drop_rule':
      return dropRule(place, step.name, step.column, step.rule);
    case 'drop_search':
      return alter(sql`drop column search_text`);
    case 'drop_column':
      return alter(sql`drop column ${sql.id(step.column)}`);
    case 'add_column':
      return addColumn(place, step.field);
    case 'adopt_column':
      return alter(sql`rename column ${sql.id(step.staged)} to ${sql.id(step.field.column)}`);
    case 'rename_column':
      return alter(sql`rename column ${sql.id(step.from)} to ${sql.id(step.to)}`);
    case 'convert_column':
      return convertColumn(place, step.field, step.from);
    case 'add_rule':
      return addRule(place, step.name, step.field, step.rule);
    case 'adopt_rule':
      return adoptRule(place, step.staged, step.name, step.field, step.rule);
    case 'add_search':
      return addSearch(place, step.name, step.columns);
  }
}

function createTable(place: TablePlace, isOwned: boolean, fields: readonly StoredField[]): Sql[] {
  const { entity } = place;
  const table = tableOf(place);
  const index = sql.id(constraintName(entity, 'created_at', 'order'));
  const columns = [
    sql`tenant_id uuid not null`,
    sql`id uuid not null`,
    sql`created_at timestamptz not null`,
    sql`updated_at timestamptz not null`,
    sql`created_by text`,
    sql`updated_by text`,
    ...(isOwned ? [sql`owner_bu_id uuid not null`] : []),
    ...fields.map((field) => sql`${sql.id(field.column)} ${typeSql(columnTypeOf(field))}`),
    sql`constraint ${sql.id(constraintName(entity, 'id', 'key'))} primary key (tenant_id, id)`,
  ];
  return [
    sql`create table ${table} (${sql.join(columns)})`,
    isolate(place),
    sql`grant select, insert, update, delete on ${table} to ${sql.id(APP_ROLE)}`,
    sql`create index ${index} on ${table} (tenant_id, created_at desc, id desc)`,
  ];
}

function addColumn(place: TablePlace, field: StoredField): Sql[] {
  return [sql`alter table ${tableOf(place)} add column ${sql.id(field.column)} ${columnSql(field)}`];
}

/**
 * Returns a column's type and default. The default fills existing rows, and rows that are written by the old
 * definition, which does not name the column. Writes by the new definition always give a value, so the default has no
 * effect on them.
 */
export function columnSql(field: StoredField): Sql {
  const type = typeSql(columnTypeOf(field));
  if (field.default === undefined) return type;
  const text = field.type === 'json' ? JSON.stringify(field.default) : String(field.default);
  return sql`${type} default ${literal(text)}::${type}`;
}

function dropRule(place: TablePlace, name: string, column: string, { kind }: Rule): Sql[] {
  const table = tableOf(place);
  if (isIndex(kind)) return [sql`drop index ${sql.id(place.schema, name)}`];
  if (kind === 'required') return [sql`alter table ${table} alter column ${sql.id(column)} drop not null`];
  return [sql`alter table ${table} drop constraint ${sql.id(name)}`];
}

function addRule(place: TablePlace, name: string, field: StoredField, rule: Rule): Sql[] {
  const table = tableOf(place);
  if (isIndex(rule.kind)) return [indexSql(place, name, field, rule, sql``)];
  return rule.kind === 'required'
    ? [sql`alter table ${table} alter column ${sql.id(field.column)} set not null`]
    : [sql`alter table ${table} add constraint ${sql.id(name)} ${constraintSql(place, field, rule)}`];
}

/** Adopts a staged rule. A column with a validated `is not null` constraint becomes `not null` without a scan. */
function adoptRule(place: TablePlace, staged: string, name: string, field: StoredField, rule: Rule): Sql[] {
  const table = tableOf(place);
  if (isIndex(rule.kind)) return [sql`alter index ${sql.id(place.schema, staged)} rename to ${sql.id(name)}`];
  return rule.kind === 'required'
    ? [
        sql`alter table ${table} alter column ${sql.id(field.column)} set not null`,
        sql`alter table ${table} drop constraint ${sql.id(staged)}`,
      ]
    : [sql`alter table ${table} rename constraint ${sql.id(staged)} to ${sql.id(name)}`];
}

/** Returns true if rules of this kind are indexes. */
export function isIndex(kind: Rule['kind']): boolean {
  return kind === 'unique' || kind === 'index';
}

/** Creates the index of a rule; `how` can be `concurrently`. */
export function indexSql(place: TablePlace, name: string, field: StoredField, rule: Rule, how: Sql): Sql {
  const column = sql.id(field.column);
  return rule.kind === 'unique'
    ? sql`create unique index ${how} ${sql.id(name)} on ${tableOf(place)} (tenant_id, ${column})`
    : sql`create index ${how} ${sql.id(name)} on ${tableOf(place)} (tenant_id, ${column}, created_at desc, id desc)`;
}

/** Returns the constraint of a rule that is not an index. */
export function constraintSql(place: TablePlace, field: StoredField, rule: Rule): Sql {
  const column = sql.id(field.column);
  if (rule.kind === 'required') return sql`check (${column} is not null)`;
  return rule.kind === 'refers'
    ? sql`foreign key (tenant_id, ${column}) references ${tableOf({ ...place, entity: rule.entity })} (tenant_id, id)`
    : sql`check (not (${violationOf(field, rule)}))`;
}

/** Returns the condition under which a row violates a rule about itself. */
export function violationOf(field: StoredField, rule: Rule): Sql {
  const column = sql.id(field.column);
  switch (rule.kind) {
    case 'required':
      return sql`${column} is null`;
    case 'enum':
      return sql`${column} not in (${sql.join(rule.values.map(literal))})`;
    case 'min':
    case 'max': {
      const value = rule.ofLength ? sql`char_length(${column})` : column;
      return rule.kind === 'min'
        ? sql`${value} < ${number(rule.bound)}`
        : sql`${value} > ${number(rule.bound)}`;
    }
    default:
      return sql`false`;
  }
}

/** Indexes the words of all searchable fields in one column. */
function addSearch(place: TablePlace, name: string, columns: readonly string[]): Sql[] {
  const table = tableOf(place);
  const texts = columns.map((column) => sql`coalesce(${sql.id(column)}, '')`);
  const text = sql`left(${sql.join(texts, sql` || ' ' || `)}, ${sql.lit(SEARCHED_CHARS)})`;
  const blanks = ' '.repeat(WORD_SEPARATORS.length);
  const words = sql`translate(${text}, ${sql.lit(WORD_SEPARATORS)}, ${sql.lit(blanks)})`;
  return [
    sql`alter table ${table} add column search_text tsvector
      generated always as (to_tsvector('pg_catalog.simple'::regconfig, ${words} || ' ' || ${partsOfWords(words)})) stored`,
    sql`create index ${sql.id(name)} on ${table} using gin (search_text)`,
  ];
}

/** Returns the parts of words such as `SKU123`, so that a search for `123` finds them. */
function partsOfWords(words: Sql): Sql {
  const mixed = sql`regexp_replace(${words}, '\\m([[:alpha:]]+|[0-9]+)\\M', ' ', 'g')`;
  const afterLetters = sql`regexp_replace(${mixed}, '([[:alpha:]])([0-9])', '\\1 \\2', 'g')`;
  return sql`regexp_replace(${afterLetters}, '([0-9])([[:alpha:]])', '\\1 \\2', 'g')`;
}

function convertColumn(place: TablePlace, field: StoredField, from: FieldType): Sql[] {
  const type = columnTypeOf(field);
  const value = type === 'json' ? jsonOf(field, from) : convertedValue(field, from);
  const alter = sql`alter table ${tableOf(place)} alter column ${sql.id(field.column)}`;
  // An old default has the old type.
  return [sql`${alter} drop default`, sql`${alter} type ${typeSql(type)} using (${value})`];
}

/** Returns the condition under which a value cannot be converted to the field's new type. */
export function misfitOf(field: StoredField, from: FieldType): Sql {
  const type = columnTypeOf(field);
  if (type === 'text' || type === 'json') return sql`false`;
  if (isWholeNumber(field, from)) {
    const column = sql.id(field.column);
    return sql`not (${column} = trunc(${column}) and abs(${column}) <= ${number(Number.MAX_SAFE_INTEGER)})`;
  }
  return sql`not public.tessera_entity_fits(${textOfColumn(field, from)}, ${sql.lit(type)})`;
}

/** Returns true for a conversion from number to integer. It compares numbers: the text of a large one is `1e+15`. */
function isWholeNumber(field: StoredField, from: FieldType): boolean {
  return from === 'number' && columnTypeOf(field) === 'bigint';
}

function jsonOf(field: StoredField, from: FieldType): Sql {
  return from === 'datetime'
    ? sql`to_json(${textOfColumn(field, from)})`
    : sql`to_json(${sql.id(field.column)})`;
}

/** Returns a value as text, in the form of responses. */
function textOfColumn(field: StoredField, from: FieldType): Sql {
  const column = sql.id(field.column);
  if (from === 'json') return sql`(${column} #>> '{}')`;
  if (from === 'datetime') return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  // Without an exponent: the text of a large double is `1e+15`.
  if (from === 'number') return sql`(${column}::text)::numeric::text`;
  return from === 'date' ? sql`to_char(${column}, 'YYYY-MM-DD')` : sql`${column}::text`;
}

function convertedValue(field: StoredField, from: FieldType): Sql {
  const type = columnTypeOf(field);
  const text = textOfColumn(field, from);
  if (type === 'text') return text;
  if (isWholeNumber(field, from)) return sql`${sql.id(field.column)}::bigint`;
  // To the millisecond, like values of bodies: responses and filters have no higher precision.
  return type === 'timestamptz'
    ? sql`regexp_replace(${text}, '(\\.\\d{3})\\d+', '\\1')::timestamptz`
    : sql`(${text})::${typeSql(type)}`;
}

function typeSql(type: ColumnType): Sql {
  return sql.raw(type);
}

function literal(text: string): Sql {
  return sql.lit(text);
}

function number(value: number): Sql {
  return sql`${sql.lit(String(value))}::double precision`;
}
