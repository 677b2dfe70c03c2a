/** Queries that a write makes for its checks. */
import { type SqlBool, sql } from 'kysely';
import { runCompiled } from '../../../resources/compiled-statements.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { columnTypeOf, type EntityModel, type StoredField } from '../entities/index.ts';
import { type LargeRecord, type Narrowing, narrowed, narrowingShape, valuesOf } from './read-queries.ts';
import { rowJson, shownValue } from './row-json.ts';
import { ROWS } from './shown-fields.ts';
import { MAX_CHARACTERS, rowBytes } from './sizes.ts';

/** Returns which of these records the scope reaches. */
export async function readVisible(
  db: ScopedDb,
  model: EntityModel,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await runCompiled<{ id: string }>(db, model, 'visible', [ids], (query, [slot]) =>
    query
      .selectFrom(`${model.table} as ${ROWS}`)
      .select(`${ROWS}.id`)
      .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = any(${slot}::uuid[])`),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns which of these values already exist. It ignores units, since values are unique in the tenant. */
export async function readExistingValues(
  db: ScopedDb,
  { table }: EntityModel,
  field: StoredField,
  values: readonly unknown[],
): Promise<ReadonlySet<string>> {
  const { column, type } = field;
  const { rows } = await db.raw(
    (tenantId) => sql<{ value: string }>`
      select ${shownValue(column, type === 'datetime')}::text as value from ${sql.table(table)}
      where tenant_id = ${tenantId}::uuid and ${sql.ref(column)} = any(${values}::${sql.raw(columnTypeOf(field))}[])`,
  );
  // Format numbers as JavaScript does: PostgreSQL formats very large and very small ones differently.
  return new Set(rows.map(({ value }) => (type === 'number' ? String(Number(value)) : value)));
}

/** Returns true if any record matches. */
export async function hasMatches(db: ScopedDb, model: EntityModel, narrowing: Narrowing): Promise<boolean> {
  const shape = `any ${narrowingShape(narrowing)}`;
  const rows = await runCompiled(db, model, shape, valuesOf(narrowing), (query, slots) =>
    narrowed(query.selectFrom(`${model.table} as ${ROWS}`), narrowing, slots)
      .select(`${ROWS}.id`)
      .limit(1),
  );
  return rows.length > 0;
}

/** Returns the sizes of these records, in any order. */
export async function readSizes(
  db: ScopedDb,
  model: EntityModel,
  ids: readonly string[],
): Promise<readonly LargeRecord[]> {
  return runCompiled<LargeRecord>(db, model, 'sizes', [ids], (query, [slot]) =>
    query
      .selectFrom(`${model.table} as ${ROWS}`)
      .select([sql.ref(`${ROWS}.id`).as('id'), rowBytes(model, ROWS).as('bytes')])
      .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = any(${slot}::uuid[])`),
  );
}

/** Returns true if one of these records is too long as JSON. */
export async function hasOverlong(
  db: ScopedDb,
  model: EntityModel,
  ids: readonly string[],
): Promise<boolean> {
  const rows = await runCompiled(db, model, 'overlong', [ids], (query, [slot]) =>
    query
      .selectFrom(`${model.table} as ${ROWS}`)
      .select(`${ROWS}.id`)
      .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = any(${slot}::uuid[])`)
      .where(sql<SqlBool>`length(${rowJson(query, model, ROWS)}) > ${sql.lit(MAX_CHARACTERS)}`)
      .limit(1),
  );
  return rows.length > 0;
}

/** Properties of a record that decide who may write it: its unit and its state, null if it has none. */
export interface WriteAccess {
  readonly owner: string | null;
  readonly state: string | null;
}

/** Returns null if the scope reaches no record with this id. */
export async function readWriteAccess(
  db: ScopedDb,
  model: EntityModel,
  id: string,
): Promise<WriteAccess | null> {
  const [row] = await runCompiled<WriteAccess>(db, model, 'write access', [id], (query, [slot]) =>
    query
      .selectFrom(`${model.table} as ${ROWS}`)
      .select(writeAccessColumns(model))
      .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = ${slot}`),
  );
  return row ?? null;
}

/** Locks the matching records until the transaction ends. */
export async function lockMatches(
  db: ScopedDb,
  model: EntityModel,
  narrowing: Narrowing,
): Promise<readonly (WriteAccess & { readonly id: string })[]> {
  const shape = `lock ${narrowingShape(narrowing)}`;
  return runCompiled(db, model, shape, valuesOf(narrowing), (query, slots) =>
    narrowed(query.selectFrom(`${model.table} as ${ROWS}`), narrowing, slots)
      .select(`${ROWS}.id`)
      .select(writeAccessColumns(model))
      // A fixed order avoids deadlocks.
      .orderBy(`${ROWS}.id`)
      .forNoKeyUpdate(),
  );
}

function writeAccessColumns({ workflow, fields, ownedBy }: EntityModel) {
  const state = workflow && fields.get(workflow.field);
  return [
    (ownedBy === 'business_unit' ? sql.ref(`${ROWS}.owner_bu_id`) : sql`null`).as('owner'),
    (state ? sql.ref(`${ROWS}.${state.column}`) : sql`null`).as('state'),
  ];
}
