/**
 * A ready-made embedded database: initialised, migrated, empty. `npm ci` builds it once, and a first start copies its
 * files instead of running initdb and every migration (docs/decisions/0038-startup-and-test-runs.md).
 */
import { createHash } from 'node:crypto';
import { cpSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readSchemaFiles } from './schema-files.ts';

/** The folder of the image: the files of the database in `files`, and the checksum of what it was built from. */
export const IMAGE_FOLDER = join(import.meta.dirname, '../../dist/database');

/** Path of the image's database files. */
export const IMAGE_FILES = join(IMAGE_FOLDER, 'files');

/** Path of the checksum. */
export const IMAGE_CHECKSUM = join(IMAGE_FOLDER, 'checksum');

/**
 * Copies the image to `folder`, which must be missing or empty. Returns false without changing the folder if there is
 * no image, or if it was built from another schema or another PGlite.
 */
export async function copyDatabaseImage(folder: string): Promise<boolean> {
  const checksum = await readFile(IMAGE_CHECKSUM, 'utf8').catch(() => null);
  if (checksum === null || checksum !== (await imageChecksum())) return false;
  const draft = `${folder}.copying`;
  await rm(draft, { recursive: true, force: true });
  // About a thousand small files: the asynchronous copy takes seven times as long.
  cpSync(IMAGE_FILES, draft, { recursive: true });
  // Rename only a complete copy, so that a killed process leaves no partial database.
  await rename(draft, folder);
  return true;
}

/** Returns the checksum of everything that an image is built from. */
export async function imageChecksum(): Promise<string> {
  const { migrations, functions } = await readSchemaFiles();
  const hash = createHash('sha256').update(await pgliteVersion());
  for (const { name, checksum } of [...migrations, ...functions]) hash.update(`${name} ${checksum}\n`);
  return hash.digest('hex');
}

async function pgliteVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version }: { version: string } = JSON.parse(
    await readFile(join(entry, '../../package.json'), 'utf8'),
  );
  return version;
}
