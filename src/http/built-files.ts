/** Browser files that `npm run build:web` builds from `web/`. */
import { readFile } from 'node:fs/promises';

/** The folder of the built files. */
export const BUILT_FILES = new URL('../../web/dist/', import.meta.url);

/** Reads a built file. @throws Error naming the command to run if it was not built. */
export function readBuiltFile(name: string, folder: URL = BUILT_FILES): Promise<Buffer> {
  return readFile(new URL(name, folder)).catch((cause) => Promise.reject(missingFile(name, cause)));
}

/** The error for a file that was not built. */
export function missingFile(name: string, cause?: unknown): Error {
  return new Error(`The browser file ${name} is missing: run npm run build:web.`, { cause });
}
