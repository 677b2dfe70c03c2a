import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Html, html } from '../../http/html.ts';

/** The files of the reference that a browser may ask for, with their types. */
export const REFERENCE_ASSETS: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['reference.js', 'text/javascript; charset=utf-8'],
]);

const SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none' });`;
const PACKAGE_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** One of `REFERENCE_ASSETS`. */
export async function referenceAsset(file: string): Promise<string | Buffer> {
  return file === 'reference.js' ? SCRIPT : readFile(join(PACKAGE_FOLDER, file));
}

/** The page that renders /openapi.json. */
export function referencePage(): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tessera API reference</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/assets/reference.js"></script>
</body>
</html>
`;
}
