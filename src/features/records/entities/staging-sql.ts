/** SQL of staged parts; see staging.ts. */
import { type RawBuilder, sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { type EntityTable, tableSql } from './entity-table.ts';
import { STAGED } from './names.ts';
import type { Staging } from './staging-plan.ts';
import { columnSql, constraintSql, indexSql, isIndex } from './table-sql.ts';

type Sql = RawBuilder<unknown>;

/** A staged column, constraint or index that exists. */
export interface StagedPart {
  readonly name: string;
  readonly kind: 'column' | 'constraint' | 'index';
  /** True if it holds for all rows: the constraint is validated, the index is complete. */
  readonly isComplete: boolean;
}

/** Returns quick statements that need an exclusive lock: new columns, and constraints on new writes. */
export function beginStatements(table: EntityTable, { columns, rules }: Staging): Sql[] {
  const tableName = tableSql(table);
  return [
    ...columns.map(
      ({ staged, field }) => sql`alter table ${tableName} add column ${sql.id(staged)} ${columnSql(field)}`,
    ),
    ...rules
      .filter(({ rule }) => !isIndex(rule.kind))
      .map(
        ({ staged, field, rule }) =>
          sql`alter table ${tableName} add constraint ${sql.id(staged)} ${constraintSql(table, field, rule)} not valid`,
      ),
  ];
}

/** Returns slow statements that block neither readers nor writers. Each runs on its own, outside a transaction. */
export function buildStatements(table: EntityTable, { rules }: Staging): Sql[] {
  const constraints = rules.filter(({ rule }) => !isIndex(rule.kind));
  const indexes = rules.filter(({ rule }) => isIndex(rule.kind));
  return [
    ...constraints.map(
      ({ staged }) => sql`alter table ${tableSql(table)} validate constraint ${sql.id(staged)}`,
    ),
    ...indexes.map(({ staged, field, rule }) => indexSql(table, staged, field, rule, sql`concurrently`)),
  ];
}

/** Returns statements that drop staged parts. Dropping a column also drops its constraints and indexes. */
export function dropStatements(table: EntityTable, parts: readonly StagedPart[]): Sql[] {
  const tableName = tableSql(table);
  const named = (kind: StagedPart['kind']) =>
    parts.filter((part) => part.kind === kind).map(({ name }) => name);
  return [
    ...named('index').map((name) => sql`drop index ${sql.id(table.schema, name)}`),
    ...named('constraint').map((name) => sql`alter table ${tableName} drop constraint ${sql.id(name)}`),
    ...named('column').map((name) => sql`alter table ${tableName} drop column ${sql.id(name)}`),
  ];
}

/** Lists the staged parts of a table; empty if there is no table. */
export async function readStaged(db: ScopedDb, { entity }: EntityTable): Promise<readonly StagedPart[]> {
  const isStaged = (name: string) => sql`starts_with(${sql.ref(name)}::text, ${STAGED})`;
  const { rows } = await db.raw(
    (tenantId) => sql<StagedPart>`
      with its as (
        select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'entities_' || replace(${tenantId}::text, '-', '') and c.relname = ${entity})
      select a.attname::text as name, 'column' as kind, true as "isComplete" from its
        join pg_attribute a on a.attrelid = its.oid and a.attnum > 0 and not a.attisdropped and ${isStaged('a.attname')}
      union all select c.conname, 'constraint', c.convalidated from its
        join pg_constraint c on c.conrelid = its.oid and ${isStaged('c.conname')}
      union all select i.relname, 'index', x.indisvalid from its
        join pg_index x on x.indrelid = its.oid join pg_class i on i.oid = x.indexrelid and ${isStaged('i.relname')}`,
  );
  return rows;
}
