/** Transactions that wait for each other in a circle: PostgreSQL undoes one of them, which may well succeed afterwards. */
import { setTimeout } from 'node:timers/promises';
import { DEADLOCK_DETECTED, isSqlState } from './sqlstate.ts';

const MOST_TRIES = 5;
/** The longest pause before the second try, milliseconds; each further one may be as much longer. */
const LONGEST_PAUSE_MS = 50;

/**
 * Runs a transaction, and again from its beginning when a deadlock has undone it. Statements lock rows of one table in one
 * order where they can; tables that many writers change, such as those that a reset empties, leave circles. A pause of any
 * length lets those that it met go on, whom it would meet again at once.
 */
export async function retryDeadlocks<T>(transact: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transact();
    } catch (error) {
      if (tries === MOST_TRIES || !isSqlState(error, DEADLOCK_DETECTED)) throw error;
      await setTimeout(Math.random() * tries * LONGEST_PAUSE_MS);
    }
  }
}
