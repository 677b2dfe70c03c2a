/** Locks of tables that are changed: nobody may wait behind them for long. */
import { sql } from 'kysely';
import { isSqlState, LOCK_NOT_AVAILABLE } from '../../db/sqlstate.ts';
import { AppError } from '../../errors/app-error.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { ENTITY_BUSY } from './errors.ts';

/** How long the change waits for a table, as others then wait behind it, and how often it tries. */
const LOCK_TIMEOUT_MS = 700;
const LOCK_TRIES = 8;

/**
 * Locks the tables of these entities, those alone that are mapped to true: nobody reads or writes them then, of the others only
 * writers wait. Waits a moment for each and starts again, so that readers never queue up behind it for long.
 * @throws AppError ENTITY_BUSY
 */
export async function lockTables(
  tx: ScopedDb,
  schema: string,
  entities: ReadonlyMap<string, boolean>,
): Promise<void> {
  const locks = [...entities].sort(([a], [b]) => (a < b ? -1 : 1));
  const commands = locks.map(
    ([entity, isAlone]) =>
      `lock table "${schema}"."${entity}" in ${isAlone ? 'access exclusive' : 'share row exclusive'} mode`,
  );
  if (commands.length === 0) return;
  const lock = sql`select tessera_lock_tables(${commands}::text[], ${LOCK_TRIES}::int, ${LOCK_TIMEOUT_MS}::int)`;
  await busyWhenLocked(() => tx.asOwner('entity-tables', [lock]));
}

/** @throws AppError ENTITY_BUSY where `work` waits for a lock for too long. */
export async function busyWhenLocked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isSqlState(error, LOCK_NOT_AVAILABLE)) throw new AppError(ENTITY_BUSY, { cause: error });
    throw error;
  }
}
