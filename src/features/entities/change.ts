/** Changes of tables, in the transaction that changes the definition: there is never one without the other. */
import { type RawBuilder, sql } from 'kysely';
import { isLockRefused, isSqlState, LOCK_NOT_AVAILABLE } from '../../db/sqlstate.ts';
import { TableHeld } from '../../db/table-held.ts';
import { schemaOf } from '../../db/tenant-schemas.ts';
import { AppError } from '../../errors/app-error.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { requireRoom } from './column-room.ts';
import { ENTITY_BUSY } from './errors.ts';
import { factsOf, type Plan, planChange } from './plan.ts';
import { raiseRevision } from './queries.ts';
import { refuseMisfits, refuseViolations } from './row-checks.ts';
import type { Definition } from './schema.ts';
import { forgetTotal, schemaStatements, statementsOf, type TablePlace, tableOf } from './table-sql.ts';

const USE = 'entity-tables';

/** How long the change waits for a table, as others then wait behind it. */
const LOCK_TIMEOUT = '700ms';

/** A backup holds definitions until it has read everything; other changes are done sooner. */
const TURN_TIMEOUT = '5s';

/**
 * Begins a change of definitions: it counts as one from now on, and others wait for its end.
 * @throws AppError ENTITY_BUSY when another change, or a backup, does not end.
 */
export async function beginChange(tx: ScopedDb): Promise<void> {
  await tx.asOwner(USE, [waitAtMost(TURN_TIMEOUT)]);
  try {
    await raiseRevision(tx);
  } catch (error) {
    if (isSqlState(error, LOCK_NOT_AVAILABLE)) throw new AppError(ENTITY_BUSY, { cause: error });
    throw error;
  }
}

/** Makes the table of a new entity. @throws TableHeld when a table that it refers to is in use. */
export async function makeTable(tx: ScopedDb, definition: Definition, isSharded: boolean): Promise<void> {
  const place = placeOf(tx, definition.name);
  const plan = planChange(null, factsOf(definition));
  await run(tx, schemaStatements(place.schema, isSharded));
  await lockTables(tx, place, plan, null);
  await run(tx, statementsOf(place, [...plan.reshape, ...plan.constrain]));
}

/**
 * Changes the table of an entity. Rows are looked at as the changed table has them, before rules are added: whatever they
 * refuse undoes all of it. @throws AppError VALIDATION_ERROR with what rows refuse, TableHeld.
 */
export async function changeTable(tx: ScopedDb, old: Definition, next: Definition): Promise<void> {
  const place = placeOf(tx, next.name);
  const plan = planChange(factsOf(old), factsOf(next));
  const isChanged = plan.reshape.length + plan.constrain.length > 0;
  if (!isChanged && plan.patterns.length === 0) return;
  await lockTables(tx, place, plan, isChanged);
  await requireRoom(tx, place, plan);
  await refuseMisfits(tx, place, plan);
  await run(tx, [sql`set local timezone = 'UTC'`, ...statementsOf(place, plan.reshape)]);
  await refuseViolations(tx, place, plan);
  await run(tx, statementsOf(place, plan.constrain));
}

/** Drops the table of an entity, with its records. @throws TableHeld */
export async function dropTable(tx: ScopedDb, definition: Definition): Promise<void> {
  const place = placeOf(tx, definition.name);
  const plan = planChange(factsOf(definition), null);
  await lockTables(tx, place, plan, true);
  await run(tx, [...statementsOf(place, plan.reshape), forgetTotal(place, definition)]);
}

function placeOf({ tenantId }: ScopedDb, entity: string): TablePlace {
  return { schema: schemaOf(tenantId), entity };
}

/**
 * Locks the tables that the plan changes, its own unless `isExclusive` is null: nobody reads or writes them then, or
 * only writers wait.
 */
async function lockTables(
  tx: ScopedDb,
  place: TablePlace,
  { parents }: Plan,
  isExclusive: boolean | null,
): Promise<void> {
  const own: [string, boolean][] = isExclusive === null ? [] : [[place.entity, isExclusive]];
  const locks = [...parents, ...own].sort(([a], [b]) => (a < b ? -1 : 1));
  const statements = locks.map(([entity, isAlone]) => {
    const mode = isAlone ? sql`access exclusive` : sql`share row exclusive`;
    return sql`lock table ${tableOf({ ...place, entity })} in ${mode} mode`;
  });
  await run(tx, [waitAtMost(LOCK_TIMEOUT), ...statements]);
}

/** Runs statements as the owner. @throws TableHeld: the transaction is begun again, so that others do not queue up for long */
async function run(tx: ScopedDb, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  try {
    await tx.asOwner(USE, statements);
  } catch (error) {
    if (isLockRefused(error)) throw new TableHeld(new AppError(ENTITY_BUSY, { cause: error }));
    throw error;
  }
}

/** Said as a statement, it reaches the nodes of a cluster, too. */
function waitAtMost(time: string): RawBuilder<unknown> {
  return sql`set local lock_timeout = ${sql.lit(time)}`;
}
