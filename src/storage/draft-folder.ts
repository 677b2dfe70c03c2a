/** Files in the making: beside the files of a data folder, so that one becomes the other by a rename. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../errors/error-code.ts';
import type { Draft } from './storage.ts';

/** The folder of all files below DATA_DIR. */
export const FILES_FOLDER = 'assets';

/** The drafts of a process, and of others with the same data folder. */
export class DraftFolder {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, FILES_FOLDER, '.drafts');
  }

  /** A place for a draft. @throws what the disk says. */
  async draft(): Promise<Draft> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
    const path = join(this.#path, randomUUID());
    return { path, discard: () => rm(path, { force: true }).catch(() => {}) };
  }

  /** Removes those that nobody has written to since then. @throws what the disk says. */
  async removeOld(before: Date): Promise<void> {
    for (const name of await namesIn(this.#path)) {
      const path = join(this.#path, name);
      // Another process may sweep, too.
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
