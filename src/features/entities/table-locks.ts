/** Statements that take tables for themselves: nobody may wait behind them for long. */
import { type RawBuilder, sql } from 'kysely';
import { waitAtMost } from '../../db/lock-wait.ts';
import { isLockRefused } from '../../db/sqlstate.ts';
import { TableHeld } from '../../db/table-held.ts';
import { AppError } from '../../errors/app-error.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { ENTITY_BUSY } from './errors.ts';
import { tableOf } from './table-sql.ts';

/** How long the change waits for a table, as others then wait behind it. */
const LOCK_TIMEOUT = '700ms';

/**
 * Locks the tables of these entities, those alone that are mapped to true: nobody reads or writes them then, of the others only
 * writers wait. @throws TableHeld
 */
export async function lockTables(
  tx: ScopedDb,
  schema: string,
  entities: ReadonlyMap<string, boolean>,
): Promise<void> {
  const locks = [...entities].sort(([a], [b]) => (a < b ? -1 : 1));
  const statements = locks.map(([entity, isAlone]) => {
    const mode = isAlone ? sql`access exclusive` : sql`share row exclusive`;
    return sql`lock table ${tableOf({ schema, entity })} in ${mode} mode`;
  });
  await alterTables(tx, [waitAtMost(LOCK_TIMEOUT), ...statements]);
}

/** Runs statements as the owner. @throws TableHeld: the transaction is begun again, so that others do not queue up for long */
export async function alterTables(tx: ScopedDb, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  try {
    await tx.asOwner('entity-tables', statements);
  } catch (error) {
    if (isLockRefused(error)) throw new TableHeld(new AppError(ENTITY_BUSY, { cause: error }));
    throw error;
  }
}
