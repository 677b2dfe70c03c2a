/**
 * Prevents a second process from using a data folder. The lock is a file lock of the operating system, taken through
 * SQLite because Node has no API for it. The kernel releases it when the process ends in any way, so there are no stale
 * locks, and process ids and container boundaries do not matter. A socket or a file with a process id would need a
 * rule to detect stale locks, and every such rule has a race condition.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;
/**
 * Maximum wait for the lock, in ms. If two processes start together, one of them gets the lock while the other waits.
 * The wait also lets a killed process exit.
 */
const LOCK_WAIT_MS = 1000;

/** An acquired lock. It is also released when the process ends. */
export interface DataFolderLock {
  /** Releases the folder. A second call has no effect. */
  release(): Promise<void>;
}

/** Thrown when the data folder cannot be used; the message is one line for the operator. */
export class DataFolderError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DataFolderError';
  }
}

/**
 * Locks the folder for this process, and creates it (mode 0700) if it is missing. No other code may open the file
 * `lock` in it: closing any other handle on that file in this process would release the lock (POSIX file locks).
 * @throws DataFolderError if the folder is already locked, also by this process, or on a file system error.
 */
export async function lockDataFolder(dataDir: string): Promise<DataFolderLock> {
  let connection: DatabaseSync | undefined;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    connection = new DatabaseSync(join(dataDir, 'lock'), { timeout: LOCK_WAIT_MS });
    // The default journal would be a second file, which a killed process leaves behind.
    connection.exec('pragma journal_mode = memory; begin exclusive');
  } catch (cause) {
    connection?.close();
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY)
      throw new DataFolderError(
        `The data folder ${dataDir} is in use by another Tessera process. Stop that one, or set DATA_DIR to another folder.`,
      );
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DataFolderError(`The data folder ${dataDir} cannot be locked: ${reason}`, { cause });
  }
  const locked = connection;
  return {
    async release() {
      if (locked.isOpen) locked.close();
    },
  };
}
