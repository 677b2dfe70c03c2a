import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readBuiltFile } from '../../../http/built-files.ts';
import { type Html, html } from '../../../http/html.ts';
import { readingPage } from '../../../http/page.ts';
import { compressFile, type StaticFile } from '../../../http/static-file.ts';
import { pageLinks } from './page-links.ts';
import { OUTLINE_STYLES } from './reference-outline.ts';

const PACKAGE_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const packageFile = (file: string) => () => readFile(join(PACKAGE_FOLDER, file));
const builtFile = (file: string) => () => readBuiltFile(`docs/${file}`);

/** The files of the reference that browsers may request: type and content. */
const ASSETS: Readonly<Record<string, readonly [type: string, read: () => Promise<string | Buffer>]>> = {
  'swagger-ui.css': ['text/css; charset=utf-8', packageFile('swagger-ui.css')],
  'swagger-ui-bundle.js': ['text/javascript; charset=utf-8', packageFile('swagger-ui-bundle.js')],
  'reference.css': ['text/css; charset=utf-8', builtFile('reference.css')],
  'reference.js': ['text/javascript; charset=utf-8', builtFile('reference.js')],
};

/** Loads the files of the reference by name, compressed. */
export async function loadReferenceAssets(): Promise<ReadonlyMap<string, StaticFile>> {
  const files = Object.entries(ASSETS).map(
    async ([name, [type, read]]) => [name, await compressFile(type, await read())] as const,
  );
  return new Map(await Promise.all(files));
}

/** The sign-in form of the reference, initially hidden; `web/reference-page/account.ts` controls it. */
const ACCOUNT = html`<section id="account" class="account" aria-label="Your own entities" hidden>
<details id="account-stranger"><summary id="account-summary">Sign in to see the calls of your own entities</summary>
<p>With your own email address and password. You are signed in on this page only, until you leave it.</p>
<form id="account-form" method="post">
<label>Email address <input id="account-email" autocomplete="username" inputmode="email" autocapitalize="none" spellcheck="false" maxlength="254" required></label>
<label>Password <input id="account-password" type="password" autocomplete="current-password" maxlength="1000" required></label>
<fieldset id="account-tenant" disabled><label>Code of the tenant <input id="account-tenant-code" autocapitalize="none" spellcheck="false" maxlength="100" required></label></fieldset>
<button>Sign in</button>
</form>
</details>
<div id="account-member" hidden>
<p id="account-who" tabindex="-1"></p>
<fieldset class="account-choice"><legend>Show</legend>
<label><input id="account-own" type="radio" name="shown"> Your entities</label>
<label><input id="account-service" type="radio" name="shown"> All calls of the service</label>
</fieldset>
<button id="account-leave" type="button">Sign out</button>
</div>
<p id="account-notice" role="alert"></p>
<p id="account-status" role="status"></p>
</section>`;

/**
 * Returns the page that renders /openapi.json and, after a sign-in, the document of the user's own entities. The styles
 * of Swagger UI come last, because they would delay the outline.
 */
export function referencePage(outline: Html): Html {
  return readingPage({
    title: 'API reference - Tessera',
    links: pageLinks('docs'),
    head: OUTLINE_STYLES,
    hasMain: true,
    content: html`<div id="content" tabindex="-1"><noscript><p class="text">Operations open only with JavaScript; <a href="openapi.json">openapi.json</a> contains
the same.</p></noscript>
${ACCOUNT}
<div id="reference">${outline}</div></div>
<link rel="stylesheet" href="docs/assets/swagger-ui.css">
<link rel="stylesheet" href="docs/assets/reference.css">
<script src="docs/assets/swagger-ui-bundle.js"></script>
<script src="docs/assets/reference.js"></script>`,
  });
}
