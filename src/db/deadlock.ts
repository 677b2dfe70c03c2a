/** Retries of transactions that PostgreSQL rolled back because of a deadlock. */
import { setTimeout } from 'node:timers/promises';
import { DEADLOCK_DETECTED, isSqlState } from './sqlstate.ts';

const MAX_TRIES = 5;
/** Maximum pause before the second try, in ms; with each further try, it grows by the same time. */
const MAX_PAUSE_MS = 50;

/**
 * Runs a transaction, and repeats it after a deadlock. Statements lock rows of a table in one order where they can, but
 * tables with many writers, such as those that a reset empties, can still deadlock. A random pause
 * keeps the same transactions from deadlocking again at once.
 */
export async function retryDeadlocks<T>(transact: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transact();
    } catch (error) {
      if (tries === MAX_TRIES || !isSqlState(error, DEADLOCK_DETECTED)) throw error;
      await setTimeout(Math.random() * tries * MAX_PAUSE_MS);
    }
  }
}
