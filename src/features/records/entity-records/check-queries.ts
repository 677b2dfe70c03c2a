/** What is looked at for a write: whether it may be done, what it would meet, and what it has made. */
import { type SqlBool, sql } from 'kysely';
import { runCompiled } from '../../../resources/compiled.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { columnTypeOf, type EntityModel, type StoredField } from '../entities/index.ts';
import { type LargeRecord, type Narrowing, narrowed, narrowingShape, valuesOf } from './read-queries.ts';
import { rowJson, shownValue } from './row-json.ts';
import { ROWS } from './shown-fields.ts';
import { MOST_CHARACTERS, rowBytes } from './sizes.ts';

/** Which of these records the scope reaches. */
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

/** Which of these values records have, of whichever unit: they are unique in the tenant. */
export async function readTaken(
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
  // Numbers as they are written here: the database has another form for very large and very small ones.
  return new Set(rows.map(({ value }) => (type === 'number' ? String(Number(value)) : value)));
}

/** Whether a narrowing leaves any record. */
export async function hasMatches(db: ScopedDb, model: EntityModel, narrowing: Narrowing): Promise<boolean> {
  const shape = `any ${narrowingShape(narrowing)}`;
  const rows = await runCompiled(db, model, shape, valuesOf(narrowing), (query, slots) =>
    narrowed(query.selectFrom(`${model.table} as ${ROWS}`), narrowing, slots)
      .select(`${ROWS}.id`)
      .limit(1),
  );
  return rows.length > 0;
}

/** The sizes of the records of these ids, in no order. */
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

/** Whether one of these records is longer as JSON than a record may be. */
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
      .where(sql<SqlBool>`length(${rowJson(query, model, ROWS)}) > ${sql.lit(MOST_CHARACTERS)}`)
      .limit(1),
  );
  return rows.length > 0;
}

/** What decides whether a record may be written: its unit and its state, null where it has none. */
export interface Standing {
  readonly owner: string | null;
  readonly state: string | null;
}

/** How a record stands; null when the scope reaches none of this id. */
export async function readStanding(db: ScopedDb, model: EntityModel, id: string): Promise<Standing | null> {
  const [row] = await runCompiled<Standing>(db, model, 'standing', [id], (query, [slot]) =>
    query
      .selectFrom(`${model.table} as ${ROWS}`)
      .select(standingOf(model))
      .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = ${slot}`),
  );
  return row ?? null;
}

/** The records that a narrowing leaves, locked until the transaction ends, and how they stand. */
export async function lockMatches(
  db: ScopedDb,
  model: EntityModel,
  narrowing: Narrowing,
): Promise<readonly (Standing & { readonly id: string })[]> {
  const shape = `lock ${narrowingShape(narrowing)}`;
  return runCompiled(db, model, shape, valuesOf(narrowing), (query, slots) =>
    narrowed(query.selectFrom(`${model.table} as ${ROWS}`), narrowing, slots)
      .select(`${ROWS}.id`)
      .select(standingOf(model))
      // In one order, so that two of them never wait for each other.
      .orderBy(`${ROWS}.id`)
      .forNoKeyUpdate(),
  );
}

function standingOf({ workflow, fields, ownedBy }: EntityModel) {
  const state = workflow && fields.get(workflow.field);
  return [
    (ownedBy === 'business_unit' ? sql.ref(`${ROWS}.owner_bu_id`) : sql`null`).as('owner'),
    (state ? sql.ref(`${ROWS}.${state.column}`) : sql`null`).as('state'),
  ];
}
