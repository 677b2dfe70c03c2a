/**
 * Steps of a plan as SQL. Names come from validated definitions and are quoted; values are literals, since DDL takes
 * no parameters.
 */
import { type RawBuilder, sql } from 'kysely';
import { APP_ROLE } from '../../../db/app-role.ts';
import { type EntityTable, tableSql } from './entity-table.ts';
import { constraintName, totalsTableOf } from './names.ts';
import { type ColumnType, columnTypeOf, type Rule, type Step } from './plan.ts';
import type { Definition, FieldType } from './schema.ts';
import { WORD_SEPARATORS } from './search-words.ts';
import type { StoredField } from './stored-field.ts';

type Sql = RawBuilder<unknown>;

/**
 * Limit of indexed text: a tsvector holds 1 MiB. A character takes at most eight bytes of it: four bytes, twice,
 * because words of letters and digits are indexed both whole and in parts. Each word takes five more.
 */
const SEARCHED_CHARS = 100_000;

/**
 * Creates the schema of a tenant with its tables of totals: per entity, and per unit for records that units own. A
 * total is spread over slots. Each table is created by a statement of its own.
 */
export function schemaStatements(schema: string): Sql[] {
  const role = sql.id(APP_ROLE);
  return [
    sql`create schema ${sql.id(schema)}`,
    sql`grant usage on schema ${sql.id(schema)} to ${role}`,
    ...TOTALS.flatMap(({ name, unit }) => {
      const tableName = sql.id(schema, name);
      const units = unit ? [sql`owner_bu_id uuid not null`] : [];
      const columns = [sql`tenant_id uuid not null`, sql`entity text not null`, ...units];
      const key = [...['tenant_id', 'entity'], ...(unit ? ['owner_bu_id'] : []), 'slot'].map((each) =>
        sql.id(each),
      );
      return [
        sql`create table ${tableName} (${sql.join(columns)}, slot int not null, records bigint not null, primary key (${sql.join(key)}))`,
        isolate({ schema, entity: name }),
        sql`grant select, insert, update, delete on ${tableName} to ${role}`,
      ];
    }),
  ];
}

const TOTALS = [
  { name: totalsTableOf({ owned_by: 'tenant' }), unit: false },
  { name: totalsTableOf({ owned_by: 'business_unit' }), unit: true },
];

function isolate({ schema, entity }: EntityTable): Sql {
  return sql`select public.tessera_isolate_records(${sql.lit(`"${schema}"."${entity}"`)}::regclass)`;
}

/** Deletes the totals of an entity whose table is dropped. */
export function deleteTotal(table: EntityTable, definition: Definition): Sql {
  const tableName = sql.id(table.schema, totalsTableOf(definition));
  return sql`delete from ${tableName} where entity = ${sql.lit(table.entity)}`;
}

/** Returns the statements of these steps, in order. */
export function statementsOf(table: EntityTable, steps: readonly Step[]): Sql[] {
  return steps.flatMap((step) => statementsOfStep(table, step));
}

function statementsOfStep(table: EntityTable, step: Step): Sql[] {
  const tableName = tableSql(table);
  const alter = (action: Sql) => [sql`alter table ${tableName} ${action}`];
  switch (step.do) {
    case 'create_table':
      return createTable(table, step.isOwned, step.fields);
    case 'drop_table':
      return [sql`drop table ${tableName}`];
    case 'drop_rule':
      return dropRule(table, step.name, step.column, step.rule);
    case 'drop_search':
      return alter(sql`drop column search_text`);
    case 'drop_column':
      return alter(sql`drop column ${sql.id(step.column)}`);
    case 'add_column':
      return addColumn(table, step.field);
    case 'adopt_column':
      return alter(sql`rename column ${sql.id(step.staged)} to ${sql.id(step.field.column)}`);
    case 'rename_column':
      return alter(sql`rename column ${sql.id(step.from)} to ${sql.id(step.to)}`);
    case 'convert_column':
      return convertColumn(table, step.field, step.from);
    case 'add_rule':
      return addRule(table, step.name, step.field, step.rule);
    case 'adopt_rule':
      return adoptRule(table, step.staged, step.name, step.field, step.rule);
    case 'add_search':
      return addSearch(table, step.name, step.columns);
  }
}

function createTable(table: EntityTable, isOwned: boolean, fields: readonly StoredField[]): Sql[] {
  const { entity } = table;
  const tableName = tableSql(table);
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
    sql`create table ${tableName} (${sql.join(columns)})`,
    isolate(table),
    sql`grant select, insert, update, delete on ${tableName} to ${sql.id(APP_ROLE)}`,
    sql`create index ${index} on ${tableName} (tenant_id, created_at desc, id desc)`,
  ];
}

function addColumn(table: EntityTable, field: StoredField): Sql[] {
  return [sql`alter table ${tableSql(table)} add column ${sql.id(field.column)} ${columnSql(field)}`];
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

function dropRule(table: EntityTable, name: string, column: string, { kind }: Rule): Sql[] {
  const tableName = tableSql(table);
  if (isIndex(kind)) return [sql`drop index ${sql.id(table.schema, name)}`];
  if (kind === 'required')
    return [sql`alter table ${tableName} alter column ${sql.id(column)} drop not null`];
  return [sql`alter table ${tableName} drop constraint ${sql.id(name)}`];
}

function addRule(table: EntityTable, name: string, field: StoredField, rule: Rule): Sql[] {
  const tableName = tableSql(table);
  if (isIndex(rule.kind)) return [indexSql(table, name, field, rule, sql``)];
  return rule.kind === 'required'
    ? [sql`alter table ${tableName} alter column ${sql.id(field.column)} set not null`]
    : [sql`alter table ${tableName} add constraint ${sql.id(name)} ${constraintSql(table, field, rule)}`];
}

/** Adopts a staged rule. A column with a validated `is not null` constraint becomes `not null` without a scan. */
function adoptRule(table: EntityTable, staged: string, name: string, field: StoredField, rule: Rule): Sql[] {
  const tableName = tableSql(table);
  if (isIndex(rule.kind)) return [sql`alter index ${sql.id(table.schema, staged)} rename to ${sql.id(name)}`];
  return rule.kind === 'required'
    ? [
        sql`alter table ${tableName} alter column ${sql.id(field.column)} set not null`,
        sql`alter table ${tableName} drop constraint ${sql.id(staged)}`,
      ]
    : [sql`alter table ${tableName} rename constraint ${sql.id(staged)} to ${sql.id(name)}`];
}

/** Returns true if rules of this kind are indexes. */
export function isIndex(kind: Rule['kind']): boolean {
  return kind === 'unique' || kind === 'index';
}

/** Creates the index of a rule; `how` can be `concurrently`. */
export function indexSql(table: EntityTable, name: string, field: StoredField, rule: Rule, how: Sql): Sql {
  const column = sql.id(field.column);
  return rule.kind === 'unique'
    ? sql`create unique index ${how} ${sql.id(name)} on ${tableSql(table)} (tenant_id, ${column})`
    : sql`create index ${how} ${sql.id(name)} on ${tableSql(table)} (tenant_id, ${column}, created_at desc, id desc)`;
}

/** Returns the constraint of a rule that is not an index. */
export function constraintSql(table: EntityTable, field: StoredField, rule: Rule): Sql {
  const column = sql.id(field.column);
  if (rule.kind === 'required') return sql`check (${column} is not null)`;
  return rule.kind === 'refers'
    ? sql`foreign key (tenant_id, ${column}) references ${tableSql({ ...table, entity: rule.entity })} (tenant_id, id)`
    : sql`check (not (${violationSql(field, rule)}))`;
}

/** Returns the condition under which a row violates a rule about itself. */
export function violationSql(field: StoredField, rule: Rule): Sql {
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
function addSearch(table: EntityTable, name: string, columns: readonly string[]): Sql[] {
  const tableName = tableSql(table);
  const texts = columns.map((column) => sql`coalesce(${sql.id(column)}, '')`);
  const text = sql`left(${sql.join(texts, sql` || ' ' || `)}, ${sql.lit(SEARCHED_CHARS)})`;
  const blanks = ' '.repeat(WORD_SEPARATORS.length);
  const words = sql`translate(${text}, ${sql.lit(WORD_SEPARATORS)}, ${sql.lit(blanks)})`;
  return [
    sql`alter table ${tableName} add column search_text tsvector
      generated always as (to_tsvector('pg_catalog.simple'::regconfig, ${words} || ' ' || ${partsOfWords(words)})) stored`,
    sql`create index ${sql.id(name)} on ${tableName} using gin (search_text)`,
  ];
}

/** Returns the parts of words such as `SKU123`, so that a search for `123` finds them. */
function partsOfWords(words: Sql): Sql {
  const mixed = sql`regexp_replace(${words}, '\\m([[:alpha:]]+|[0-9]+)\\M', ' ', 'g')`;
  const afterLetters = sql`regexp_replace(${mixed}, '([[:alpha:]])([0-9])', '\\1 \\2', 'g')`;
  return sql`regexp_replace(${afterLetters}, '([0-9])([[:alpha:]])', '\\1 \\2', 'g')`;
}

function convertColumn(table: EntityTable, field: StoredField, from: FieldType): Sql[] {
  const type = columnTypeOf(field);
  const value = type === 'json' ? jsonOf(field, from) : convertedValue(field, from);
  const alter = sql`alter table ${tableSql(table)} alter column ${sql.id(field.column)}`;
  // An old default has the old type.
  return [sql`${alter} drop default`, sql`${alter} type ${typeSql(type)} using (${value})`];
}

/** Returns the condition under which a value cannot be converted to the field's new type. */
export function unconvertibleSql(field: StoredField, from: FieldType): Sql {
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
