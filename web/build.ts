import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'esbuild';

/**
 * Bundles what a visitor's browser runs into `web/dist/`: `embed-page.js` and `embed-page.css` for the form page, and
 * `embed.js` for the pages that show it. Each file also lies there compressed, so that no request pays for it.
 */
const outputFolder = new URL('./dist/', import.meta.url);
const entryPoints = ['embed-page.ts', 'embed.ts'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

await rm(outputFolder, { recursive: true, force: true });
await build({
  entryPoints,
  outdir: fileURLToPath(outputFolder),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  // The licences of the bundled libraries ask that their notices travel along.
  legalComments: 'eof',
  logLevel: 'warning',
});

for (const name of await readdir(outputFolder)) {
  const body = await readFile(new URL(name, outputFolder));
  await writeFile(new URL(`${name}.gz`, outputFolder), await promisify(gzip)(body, { level: 9 }));
  await writeFile(new URL(`${name}.br`, outputFolder), await promisify(brotliCompress)(body));
}
