/** Transactions that change tables while these are in use. */

import { setTimeout as pause } from 'node:timers/promises';

/** How often such a transaction is begun. */
const MOST_TRIES = 8;
/** For how long others go first, longer each time. */
const PAUSE_MS = 20;

/**
 * That a transaction could not have a table in time. Others wait behind whoever waits for a table alone, so it waits a moment,
 * lets go of everything and is begun again.
 */
export class TableHeld extends Error {
  /** What is thrown when the table is not to be had at all. */
  readonly refusal: Error;

  constructor(refusal: Error) {
    super('A table is in use.');
    this.refusal = refusal;
  }
}

/** Runs a transaction, and again from its beginning while it meets a table that is held. @throws its refusal in the end */
export async function retryHeld<T>(transact: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transact();
    } catch (error) {
      if (!(error instanceof TableHeld)) throw error;
      if (tries === MOST_TRIES) throw error.refusal;
      await pause(PAUSE_MS * tries);
    }
  }
}
