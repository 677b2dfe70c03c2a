/** Browser files that `npm run build:web` builds from `web/`. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { StaticFile } from './static-file.ts';

/** The folder of the built files. */
export const BUILT_FILES = new URL('../../web/dist/', import.meta.url);

/** Reads a built file. @throws Error naming the command to run if it was not built. */
export function readBuiltFile(name: string, folder: URL = BUILT_FILES): Promise<Buffer> {
  return readFile(new URL(name, folder)).catch((cause) => Promise.reject(missingFile(name, cause)));
}

/** Reads a built file and its compressed copies. @throws Error naming the command to run if one was not built. */
export async function readBuiltAsset(
  name: string,
  contentType: string,
  folder: URL = BUILT_FILES,
): Promise<StaticFile> {
  const read = (file: string) => readBuiltFile(file, folder);
  const [body, gzip, brotli] = await Promise.all([read(name), read(`${name}.gz`), read(`${name}.br`)]);
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { body, gzip, brotli, contentType, etag: `W/"${digest}"` };
}

/** The error for a file that was not built. */
export function missingFile(name: string, cause?: unknown): Error {
  return new Error(`The browser file ${name} is missing: run npm run build:web.`, { cause });
}
