/** Files for browsers that `npm run build:web` makes of `web/`. */
import { readFile } from 'node:fs/promises';

/** Where they lie. */
export const BUILT_FILES = new URL('../../web/dist/', import.meta.url);

/** Reads one of them. @throws Error that names the command to run, when it was not built. */
export function readBuiltFile(name: string, folder: URL = BUILT_FILES): Promise<Buffer> {
  return readFile(new URL(name, folder)).catch((cause) => Promise.reject(missingFile(name, cause)));
}

/** What is told of a file that was not built. */
export function missingFile(name: string, cause?: unknown): Error {
  return new Error(`The browser file ${name} is missing: run npm run build:web.`, { cause });
}
