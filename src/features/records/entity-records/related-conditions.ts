/**
 * Filters through one relation: `customer.email__like` finds records with a related record that meets the condition.
 */

import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Issue } from '../../../errors/app-error.ts';
import type { AnyTables } from '../../../resources/compiled-statements.ts';
import type { FilterCondition } from '../../../resources/filter-sql.ts';
import { ofColumn } from '../../../resources/filter-sql.ts';
import type { EntityModel, EntityModels, Relation } from '../entities/index.ts';
import { cut, readCondition } from './conditions.ts';
import { filteredFields, ROWS } from './shown-fields.ts';

/** Alias of the related table. */
const RELATED = 'related';

/** Parses a filter on a field of the records or of their related records. */
export function readFilter(
  models: EntityModels,
  model: EntityModel,
  key: string,
  value: unknown,
): FilterCondition | Issue {
  const dot = key.indexOf('.');
  if (dot < 0) return readCondition(filteredFields(model), key, value);
  const [name, inner] = [key.slice(0, dot), key.slice(dot + 1)];
  const relation = model.relations.get(name);
  const related = relation && models.get(relation.entity);
  if (!relation || !related)
    return { field: cut(key), message: `${model.name} has no relation ${cut(name)}` };
  if (inner.includes('.')) return { field: cut(key), message: 'must go through one relation only' };
  const read = readCondition(filteredFields(related), inner, value, RELATED);
  if ('message' in read) return { ...read, field: cut(key) };
  return throughRelation(read, relation, related);
}

/** Returns the condition that some related record meets `condition`. Negated operators require that none meets it. */
function throughRelation(
  condition: FilterCondition,
  relation: Relation,
  related: EntityModel,
): FilterCondition {
  const { name, field, operation, operands } = condition;
  const column = field.sql ?? ofColumn(name);
  const path = `${relation.name}.${name}`;
  if (operands.length > 0) {
    const isMet: typeof column = (compare) => existsRelated(relation, related, column(compare));
    return { ...condition, name: path, field: { ...field, sql: isMet } };
  }
  // The `null` operator: whether no related record has a value.
  const hasValue = existsRelated(
    relation,
    related,
    column((value) => sql<SqlBool>`${value} is not null`),
  );
  return {
    name: `${path}__null`,
    field: { type: 'boolean', sql: (compare) => compare(sql`(${hasValue})`) },
    operation: 'eq',
    operands: [operation === 'ne'],
  };
}

function existsRelated(
  { kind, column }: Relation,
  { table }: EntityModel,
  condition: Expression<SqlBool>,
): Expression<SqlBool> {
  const [own, other] = kind === 'belongs_to' ? [column, 'id'] : ['id', column];
  const eb = expressionBuilder<AnyTables, never>();
  return eb.exists(
    eb
      .selectFrom(`${table} as ${RELATED}`)
      .select(sql`1`.as('found'))
      .where(sql<SqlBool>`${sql.ref(`${RELATED}.${other}`)} = ${sql.ref(`${ROWS}.${own}`)}`)
      .where(condition),
  );
}
