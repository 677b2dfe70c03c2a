/** Draft files, on the same disk as the data folder's files, so that a rename publishes them. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../errors/error-code.ts';
import type { Draft } from './storage.ts';

/** Folder of all files below DATA_DIR. */
export const FILES_FOLDER = 'assets';

/** Drafts of all processes with the same data folder. */
export class DraftFolder {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, FILES_FOLDER, '.drafts');
  }

  /** Returns the path of a new draft. @throws the error of the file system. */
  async draft(): Promise<Draft> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
    const path = join(this.#path, randomUUID());
    return { path, discard: () => rm(path, { force: true }).catch(() => {}) };
  }

  /** Removes drafts last written before the given time. @throws the error of the file system. */
  async removeOld(before: Date): Promise<void> {
    for (const name of await namesIn(this.#path)) {
      const path = join(this.#path, name);
      // Another process may remove drafts concurrently.
      const { mtime } = await stat(path).catch(() => ({ mtime: new Date() }));
      if (mtime < before) await rm(path, { force: true });
    }
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
