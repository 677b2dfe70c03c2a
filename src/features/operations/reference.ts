import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Html, html } from '../../http/html.ts';
import { readingPage } from '../../http/page.ts';
import { compressFile, type StaticFile } from '../../http/static-file.ts';
import { pageLinks } from './guides.ts';

const PACKAGE_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const packaged = (file: string) => () => readFile(join(PACKAGE_FOLDER, file));
const own = (file: string) => () => readFile(join(import.meta.dirname, file));

/** The files of the reference that a browser may ask for: type and content. */
const ASSETS: Readonly<Record<string, readonly [type: string, read: () => Promise<string | Buffer>]>> = {
  'swagger-ui.css': ['text/css; charset=utf-8', packaged('swagger-ui.css')],
  'swagger-ui-bundle.js': ['text/javascript; charset=utf-8', packaged('swagger-ui-bundle.js')],
  'reference.css': ['text/css; charset=utf-8', own('reference.css')],
  'reference.js': ['text/javascript; charset=utf-8', own('reference-page.js')],
};

/** The files of the reference by name, compressed. */
export async function loadReferenceAssets(): Promise<ReadonlyMap<string, StaticFile>> {
  const files = Object.entries(ASSETS).map(
    async ([name, [type, read]]) => [name, await compressFile(type, await read())] as const,
  );
  return new Map(await Promise.all(files));
}

/** The page that renders /openapi.json. */
export function referencePage(): Html {
  return readingPage({
    title: 'API reference - Tessera',
    links: pageLinks('docs'),
    head: html`<link rel="stylesheet" href="docs/assets/swagger-ui.css">
<link rel="stylesheet" href="docs/assets/reference.css">`,
    hasMain: true,
    content: html`<div id="content" tabindex="-1"><noscript><p class="text">The reference needs JavaScript; <a href="openapi.json">openapi.json</a> says
the same.</p></noscript>
<div id="reference"></div></div>
<script src="docs/assets/swagger-ui-bundle.js"></script>
<script src="docs/assets/reference.js"></script>`,
  });
}
