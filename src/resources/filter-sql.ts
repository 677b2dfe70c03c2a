/** The SQL of checked filter conditions and of searches. */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { FilterType } from './filter-values.ts';
import type { FilterCondition, FilterOperation } from './filters.ts';

/** Tells whether a value in the database meets a condition. */
export type Compare = (value: Expression<unknown>) => Expression<SqlBool>;

/**
 * How a field becomes SQL: gives `compare` the value to look at. A relation asks whether `compare` holds of any of the
 * values it has; opposites (`ne`, `nlike`, `nin`, `empty`) then hold when it does so of none.
 */
export type FieldSql = (compare: Compare) => Expression<SqlBool>;

/** The opposite that each negative operation denies, so that all of them match what is absent too. */
const DENIED: Partial<Record<FilterOperation, FilterOperation>> = {
  ne: 'eq',
  nlike: 'like',
  nin: 'in',
  empty: 'nempty',
};

/** A field that is a column. */
export function ofColumn(column: string): FieldSql {
  return (compare) => compare(sql.ref(column));
}

/** A field that is a member of a JSON column, compared as what `type` says; `path` leads to it. */
export function ofMember(column: string, path: readonly string[], type: FilterType): FieldSql {
  const steps = sql`${[...path]}::text[]`;
  if (type === 'json') return (compare) => compare(sql`(${sql.ref(column)} #> ${steps})`);
  const member = sql`(${sql.ref(column)} #>> ${steps})`;
  const cast = {
    text: sql`text`,
    id: sql`text`,
    boolean: sql`boolean`,
    number: sql`double precision`,
    time: sql`timestamptz`,
  };
  return (compare) => compare(sql`(${member})::${cast[type]}`);
}

/** The SQL of a condition. `operands` stand for its values: one, two of `between`, none of what takes no value. */
export function conditionSql(
  { name, field, operation }: FilterCondition,
  operands: readonly unknown[],
): Expression<SqlBool> {
  const fieldSql = field.sql ?? ofColumn(name);
  const denied = DENIED[operation];
  const condition = fieldSql((value) => compareSql(field.type, denied ?? operation, value, operands));
  return denied === undefined ? condition : sql<SqlBool>`(${condition}) is not true`;
}

/** The values of a condition, as the database gets them. */
export function operandsOf({ operation, value }: FilterCondition): readonly unknown[] {
  if (value === null) return [];
  if (operation === 'between' && Array.isArray(value)) return value;
  return operation === 'like' || operation === 'nlike' ? [containing(String(value))] : [value];
}

/** The pattern of a case-insensitive `contains`: the text's own wildcards are taken literally. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

function compareSql(
  type: FilterType,
  operation: FilterOperation,
  value: Expression<unknown>,
  operands: readonly unknown[],
): Expression<SqlBool> {
  const ref = type === 'id' ? sql`${value}::text` : value;
  const [operand, upper] = operands;
  switch (operation) {
    case 'gt':
      return sql<SqlBool>`${ref} > ${operand}`;
    case 'gte':
      return sql<SqlBool>`${ref} >= ${operand}`;
    case 'lt':
      return sql<SqlBool>`${ref} < ${operand}`;
    case 'lte':
      return sql<SqlBool>`${ref} <= ${operand}`;
    case 'like':
      return sql<SqlBool>`${ref} ilike ${operand}`;
    case 'in':
      return sql<SqlBool>`${ref} = any(${operand})`;
    case 'between':
      return sql<SqlBool>`${ref} between ${operand} and ${upper}`;
    case 'nempty':
      return hasContent(type, ref);
    case 'nemptyarray':
      return type === 'json'
        ? sql<SqlBool>`case when json_typeof(${ref}) = 'array' then json_array_length(${ref}) > 0 else false end`
        : sql<SqlBool>`false`;
    default:
      return operands.length === 0 ? sql<SqlBool>`${ref} is null` : sql<SqlBool>`${ref} = ${operand}`;
  }
}

/** Neither null, absent, '', [] nor {} (decisions section 4). */
function hasContent(type: FilterType, ref: Expression<unknown>): Expression<SqlBool> {
  if (type === 'text') return sql<SqlBool>`${ref} <> ''`;
  if (type === 'json') return sql<SqlBool>`${ref}::text not in ('null', '""', '[]', '{}')`;
  return sql<SqlBool>`${ref} is not null`;
}
