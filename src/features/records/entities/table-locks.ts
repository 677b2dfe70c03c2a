/** Statements that lock tables exclusively. They time out quickly, because other statements queue behind them. */
import { type RawBuilder, sql } from 'kysely';
import { setLockTimeout } from '../../../db/lock-timeout.ts';
import { isLockRefused } from '../../../db/sqlstate.ts';
import { TableLockTimeout } from '../../../db/table-lock-timeout.ts';
import { AppError } from '../../../errors/app-error.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tableSql } from './entity-table.ts';
import { ENTITY_BUSY } from './errors.ts';

/** Maximum wait for a table lock: other statements wait behind it. */
const LOCK_TIMEOUT = '700ms';

/**
 * Locks the tables of these entities: exclusively if mapped to true, otherwise only against writers.
 * @throws TableLockTimeout
 */
export async function lockTables(
  tx: ScopedDb,
  schema: string,
  entities: ReadonlyMap<string, boolean>,
): Promise<void> {
  const locks = [...entities].sort(([a], [b]) => (a < b ? -1 : 1));
  const statements = locks.map(([entity, isExclusive]) => {
    const mode = isExclusive ? sql`access exclusive` : sql`share row exclusive`;
    return sql`lock table ${tableSql({ schema, entity })} in ${mode} mode`;
  });
  await alterTables(tx, [setLockTimeout(LOCK_TIMEOUT), ...statements]);
}

/**
 * Runs statements as the table owner.
 * @throws TableLockTimeout if they wait too long: the transaction is then retried, so that no others queue behind it.
 */
export async function alterTables(tx: ScopedDb, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  try {
    await tx.asOwner('entity-tables', statements);
  } catch (error) {
    if (isLockRefused(error)) throw new TableLockTimeout(new AppError(ENTITY_BUSY, { cause: error }));
    throw error;
  }
}
