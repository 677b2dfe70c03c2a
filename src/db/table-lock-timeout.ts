/** Retries of transactions that change tables while these are in use. */

import { setTimeout as pause } from 'node:timers/promises';

/** Maximum number of tries. */
const MAX_TRIES = 8;
/** Pause before the second try, in ms; later pauses are longer. */
const PAUSE_MS = 20;

/**
 * Thrown when a transaction cannot lock a table in time. Other statements queue behind a waiting table lock, so the
 * transaction rolls back, pauses and starts again.
 */
export class TableLockTimeout extends Error {
  /** Error for the caller after the last try. */
  readonly refusal: Error;

  constructor(refusal: Error) {
    super('A table is in use.');
    this.refusal = refusal;
  }
}

/** Runs a transaction, and repeats it while a table is locked. @throws the `refusal` after the last try. */
export async function retryTableLocks<T>(transact: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transact();
    } catch (error) {
      if (!(error instanceof TableLockTimeout)) throw error;
      if (tries === MAX_TRIES) throw error.refusal;
      await pause(PAUSE_MS * tries);
    }
  }
}
