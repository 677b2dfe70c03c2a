/** Builds the image of the embedded database; run by `npm run build:database` and `npm ci`. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IMAGE_CHECKSUM, IMAGE_FILES, IMAGE_FOLDER, imageChecksum } from './database-image.ts';
import { migrate } from './migrator.ts';
import { openEmbeddedPool } from './pool.ts';

// Without an image, openEmbeddedPool initialises a new database.
await rm(IMAGE_FOLDER, { recursive: true, force: true });
const draft = join(IMAGE_FOLDER, 'draft');
await mkdir(draft, { recursive: true });
const database = await openEmbeddedPool(draft);
try {
  await migrate(database);
  // Drop the template databases: no connection uses them, and they are two thirds of the files of a first start.
  await database.pool.query('update pg_database set datistemplate = false');
  await database.pool.query('drop database template0');
  await database.pool.query('drop database template1');
} finally {
  await database.close();
}
await rename(join(draft, 'db'), IMAGE_FILES);
await rm(draft, { recursive: true });
await writeFile(IMAGE_CHECKSUM, await imageChecksum());
