/**
 * Keeps a second process away from a data folder. The lock is the operating system's own file lock, taken through
 * SQLite because Node offers no other way to it: the kernel drops it the moment the process ends, however it ends,
 * so there is no stale lock to judge and neither process ids nor container boundaries matter. A socket or a file
 * with a process id in the folder would need a takeover rule, and every such rule has a race.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;
/**
 * Two processes that start at the same moment can each see the other's attempt and back off; waiting this long lets
 * one of them win, and lets a process that was just killed finish dying.
 */
const PATIENCE_MS = 1000;

/** A held lock. It is also given up when the process ends. */
export interface DataFolderLock {
  /** Gives the folder up. A second call does nothing. */
  release(): Promise<void>;
}

/** The data folder cannot be had; the message is one line for the operator. */
export class DataFolderError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DataFolderError';
  }
}

/**
 * Takes the folder for this process, creating it (mode 0700) when absent. Nothing else may open the file `lock`
 * in it: closing any other handle on that file inside this process would drop the lock (POSIX file locks).
 * @throws DataFolderError when another process, or another lock of this one, holds it, or the file system refuses.
 */
export async function lockDataFolder(dataDir: string): Promise<DataFolderLock> {
  let connection: DatabaseSync | undefined;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    connection = new DatabaseSync(join(dataDir, 'lock'), { timeout: PATIENCE_MS });
    // The default journal would be a second file, left behind by a kill.
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
  const held = connection;
  return {
    async release() {
      if (held.isOpen) held.close();
    },
  };
}
