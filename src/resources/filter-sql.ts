/** The filter operations: their operands and SQL. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Compare, FieldSql, FilterField } from './filter-field.ts';
import type { FilterType, Operand } from './filter-values.ts';

interface Operation {
  readonly takes: Operand;
  /** The condition on a stored value. It has one operand, two for `between`, none for null. */
  readonly sql: (
    stored: RawBuilder<unknown>,
    operands: readonly unknown[],
    type: FilterType,
  ) => RawBuilder<SqlBool>;
  /** Negates the SQL, so that the operation also matches missing values. */
  readonly isNegated?: true;
}

const equal: Operation = {
  takes: 'value or null',
  sql: (stored, operands) =>
    operands.length === 0 ? sql`${stored} is null` : sql`${stored} = ${operands[0]}`,
};
const like: Operation = {
  takes: 'text',
  sql: (stored, [pattern], type) => sql`${textOf(type, stored)} ilike ${pattern}`,
};
const isIn: Operation = { takes: 'values', sql: (stored, [values]) => sql`${stored} = any(${values})` };
const isFilled: Operation = { takes: 'nothing', sql: (stored, _operands, type) => hasContent(type, stored) };

/** All operations (docs/specification/conventions.md#filters). */
export const OPERATIONS = {
  eq: equal,
  ne: { ...equal, isNegated: true },
  between: {
    takes: 'two values',
    sql: (stored, [min, max]) => sql`${stored} between ${min} and ${max}`,
  },
  like,
  nlike: { ...like, isNegated: true },
  gt: { takes: 'last value', sql: (stored, [value]) => sql`${stored} > ${value}` },
  lt: { takes: 'value', sql: (stored, [value]) => sql`${stored} < ${value}` },
  gte: { takes: 'value', sql: (stored, [value]) => sql`${stored} >= ${value}` },
  lte: { takes: 'last value', sql: (stored, [value]) => sql`${stored} <= ${value}` },
  in: isIn,
  nin: { ...isIn, isNegated: true },
  empty: { ...isFilled, isNegated: true },
  nempty: isFilled,
  nemptyarray: {
    takes: 'nothing',
    sql: (stored, _operands, type) =>
      type === 'json'
        ? sql`case when json_typeof(${stored}) = 'array' then json_array_length(${stored}) > 0 else false end`
        : sql`false`,
  },
} satisfies Record<string, Operation>;

/** The name of a filter operation. */
export type FilterOperation = keyof typeof OPERATIONS;

/** The names of all operations. */
export const FILTER_OPERATIONS: readonly FilterOperation[] = Object.keys(OPERATIONS).filter(
  (name): name is FilterOperation => Object.hasOwn(OPERATIONS, name),
);

/** A field that is a column. */
export function ofColumn(column: string): FieldSql {
  return (compare) => compare(sql.ref(column));
}

/**
 * A field that is an integer column, compared with any number, including fractions and values outside the column's
 * type.
 */
export function ofInteger(column: string): FieldSql {
  return (compare) => compare(sql`${sql.ref(column)}::double precision`);
}

/** A field that is a member of a JSON column at `path`, compared as `type`. */
export function ofMember(column: string, path: readonly string[], type: FilterType): FieldSql {
  const steps = sql`${[...path]}::text[]`;
  if (type === 'json') return (compare) => compare(sql`(${sql.ref(column)} #> ${steps})`);
  const cast = {
    text: 'text',
    id: 'text',
    uuid: 'uuid',
    boolean: 'boolean',
    number: 'double precision',
    integer: 'bigint',
    time: 'timestamptz',
    date: 'date',
  };
  return (compare) => compare(sql`(${sql.ref(column)} #>> ${steps})::${sql.raw(cast[type])}`);
}

/** One checked condition. */
export interface FilterCondition {
  readonly name: string;
  readonly field: FilterField;
  readonly operation: FilterOperation;
  /** The operands for the database; empty for null and for operations without operand. */
  readonly operands: readonly unknown[];
}

/** The SQL of a condition, with its `operands`. */
export function conditionSql(
  { name, field, operation }: FilterCondition,
  operands: readonly unknown[],
): Expression<SqlBool> {
  const { sql: toSql, isNegated }: Operation = OPERATIONS[operation];
  if (field.isArray && field.sql && operation === 'nemptyarray') return field.sql(() => sql<SqlBool>`true`);
  const compareWith =
    (compared: readonly unknown[]): Compare =>
    (value) =>
      toSql(sql`${value}`, compared, field.type);
  const fieldSql = field.sql ?? ofColumn(name);
  const [pattern, normalPattern] = operands;
  const condition =
    toSql === like.sql && field.normalization && normalPattern !== undefined
      ? sql<SqlBool>`(${fieldSql(compareWith([pattern]))} or ${ofColumn(field.normalization.column)(compareWith([normalPattern]))})`
      : fieldSql(compareWith(operands));
  return isNegated ? sql<SqlBool>`(${condition}) is not true` : condition;
}

/** The text that `like` searches: a text, or a date or time as in responses. */
function textOf(type: FilterType, stored: RawBuilder<unknown>): RawBuilder<unknown> {
  if (type === 'date') return sql`to_char(${stored}, 'YYYY-MM-DD')`;
  return type === 'time'
    ? sql`to_char(${stored} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : stored;
}

/** True unless the value is null, absent, '', [] or {} (docs/specification/conventions.md#filters). */
function hasContent(type: FilterType, stored: RawBuilder<unknown>): RawBuilder<SqlBool> {
  if (type === 'text') return sql`${stored} <> ''`;
  if (type === 'json') return sql`${stored}::text not in ('null', '""', '[]', '{}')`;
  return sql`${stored} is not null`;
}
