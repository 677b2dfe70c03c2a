/** Builds the guides into `web/dist/guides/`, with copies that are already compressed for responses. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { buildSite } from './guides/site/build-site.ts';

const folder = fileURLToPath(new URL('./dist/guides/', import.meta.url));

for (const path of await buildSite(folder)) {
  const body = await readFile(join(folder, path));
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(body, { level: 9 }),
    promisify(brotliCompress)(body),
  ]);
  await writeFile(join(folder, `${path}.gz`), zipped);
  await writeFile(join(folder, `${path}.br`), brotli);
}
