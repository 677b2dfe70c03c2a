/** Changes of tables, in the transaction that changes the definition: there is never one without the other. */
import { sql } from 'kysely';
import { isSqlState, LOCK_NOT_AVAILABLE } from '../../db/sqlstate.ts';
import { schemaOf } from '../../db/tenant-schemas.ts';
import { AppError } from '../../errors/app-error.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { ENTITY_BUSY } from './errors.ts';
import { factsOf, type Plan, planChange } from './plan.ts';
import { raiseRevision } from './queries.ts';
import { refuseMisfits, refuseViolations } from './row-checks.ts';
import type { Definition } from './schema.ts';
import { forgetTotal, schemaStatements, statementsOf, type TablePlace } from './table-sql.ts';

const USE = 'entity-tables';

/** How long the change waits for a table, as others then wait behind it, and how often it tries. */
const LOCK_TIMEOUT_MS = 700;
const LOCK_TRIES = 8;

/** A backup holds definitions until it has read everything; other changes are done sooner. */
const TURN_TIMEOUT = '5s';

/**
 * Begins a change of definitions: it counts as one from now on, and others wait for its end.
 * @throws AppError ENTITY_BUSY when another change, or a backup, does not end.
 */
export async function beginChange(tx: ScopedDb): Promise<void> {
  await tx.asOwner(USE, [sql`set local lock_timeout = ${sql.lit(TURN_TIMEOUT)}`]);
  await busyWhenLocked(() => raiseRevision(tx));
}

/** Makes the table of a new entity. @throws AppError ENTITY_BUSY when a table that it refers to is in use all the time. */
export async function makeTable(tx: ScopedDb, definition: Definition): Promise<void> {
  const place = placeOf(tx, definition.name);
  const plan = planChange(null, factsOf(definition));
  await tx.asOwner(USE, schemaStatements(place.schema));
  await lockTables(tx, place, plan, null);
  await tx.asOwner(USE, statementsOf(place, [...plan.reshape, ...plan.constrain]));
}

/**
 * Changes the table of an entity. Rows are looked at as the changed table has them, before rules are added: whatever they
 * refuse undoes all of it. @throws AppError VALIDATION_ERROR with what rows refuse, or ENTITY_BUSY.
 */
export async function changeTable(tx: ScopedDb, old: Definition, next: Definition): Promise<void> {
  const place = placeOf(tx, next.name);
  const plan = planChange(factsOf(old), factsOf(next));
  const isChanged = plan.reshape.length + plan.constrain.length > 0;
  if (!isChanged && plan.patterns.length === 0) return;
  await lockTables(tx, place, plan, isChanged);
  await refuseMisfits(tx, place, plan);
  await tx.asOwner(USE, [sql`set local timezone = 'UTC'`, ...statementsOf(place, plan.reshape)]);
  await refuseViolations(tx, place, plan);
  await tx.asOwner(USE, statementsOf(place, plan.constrain));
}

/** Drops the table of an entity, with its records. @throws AppError ENTITY_BUSY */
export async function dropTable(tx: ScopedDb, definition: Definition): Promise<void> {
  const place = placeOf(tx, definition.name);
  const plan = planChange(factsOf(definition), null);
  await lockTables(tx, place, plan, true);
  await tx.asOwner(USE, [...statementsOf(place, plan.reshape), forgetTotal(place, definition)]);
}

function placeOf({ tenantId }: ScopedDb, entity: string): TablePlace {
  return { schema: schemaOf(tenantId), entity };
}

/**
 * Locks the tables that the plan changes, its own unless `isExclusive` is null: nobody reads or writes them then, or
 * only writers wait. Waits a moment for each and starts again, so that readers never queue up behind it for long.
 */
async function lockTables(
  tx: ScopedDb,
  place: TablePlace,
  { parents }: Plan,
  isExclusive: boolean | null,
): Promise<void> {
  const own: [string, boolean][] = isExclusive === null ? [] : [[place.entity, isExclusive]];
  const locks = [...parents, ...own].sort(([a], [b]) => (a < b ? -1 : 1));
  const commands = locks.map(
    ([entity, isAlone]) =>
      `lock table "${place.schema}"."${entity}" in ${isAlone ? 'access exclusive' : 'share row exclusive'} mode`,
  );
  if (commands.length === 0) return;
  const lock = sql`select tessera_lock_tables(${commands}::text[], ${LOCK_TRIES}::int, ${LOCK_TIMEOUT_MS}::int)`;
  await busyWhenLocked(() => tx.asOwner(USE, [lock]));
}

async function busyWhenLocked(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isSqlState(error, LOCK_NOT_AVAILABLE)) throw new AppError(ENTITY_BUSY, { cause: error });
    throw error;
  }
}
