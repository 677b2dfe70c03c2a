import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { withoutFonts } from './account-pages/account-styles.ts';
import { plainStyles } from './plain-styles.ts';

/**
 * Bundles the browser code into `web/dist/`, with copies that are already compressed for responses:
 *
 * - `plain-form.js` and `plain-form.css`: the page of a plain form; `sanitize-html.js` if it shows HTML
 * - `embed-page.js` and `embed-page.css`: the page of any other form; `locale-….js`: SurveyJS's texts in a language
 * - `embed.js`: pages that embed a form
 * - `assistant.js`: pages that show a conversation
 * - `account-pages.css`, `account-pages.woff2`: pages about accounts. The font has the letters of Western European
 *   languages in weights 400 to 600, without alternates: subset-font 2.9 made it from @fontsource-variable/inter 5.3
 *
 * The script of the API reference is in `web/dist/docs/`; the server compresses it with the files of Swagger UI.
 */
const outputFolder = new URL('./dist/', import.meta.url);
const languageFolder = new URL('../node_modules/survey-core/fesm/i18n/', import.meta.url);
const surveySheet = new URL('../node_modules/survey-core/survey-core.fontless.min.css', import.meta.url);
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const options: BuildOptions = {
  outdir: fileURLToPath(outputFolder),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  // The licences of the bundled libraries require their notices.
  legalComments: 'eof',
  logLevel: 'warning',
};

/** Lists SurveyJS's translation files by language. SurveyJS itself contains English. */
async function listLanguages(): Promise<{ in: string; out: string }[]> {
  const entries: { in: string; out: string }[] = [];
  for (const file of await readdir(languageFolder)) {
    const text = await readFile(new URL(file, languageFolder), 'utf8');
    const [, name] = /localeCode: "([\w-]+)"/.exec(text) ?? [];
    if (name !== undefined && name !== 'en')
      entries.push({ in: fileURLToPath(new URL(file, languageFolder)), out: `locale-${name}` });
  }
  return entries;
}

/** Resolves imports of `plain-survey.css` to the style sheet of plain forms. */
const plainSurveyStyles: Plugin = {
  name: 'plain-survey-styles',
  setup(bundle) {
    bundle.onResolve({ filter: /^plain-survey\.css$/ }, ({ path }) => ({ path, namespace: 'plain-survey' }));
    bundle.onLoad({ filter: /.*/, namespace: 'plain-survey' }, async () => ({
      contents: await plainStyles(await readFile(surveySheet, 'utf8')),
      loader: 'css',
    }));
  },
};

async function compress(name: string): Promise<void> {
  const body = await readFile(new URL(name, outputFolder));
  await writeFile(new URL(`${name}.gz`, outputFolder), await promisify(gzip)(body, { level: 9 }));
  await writeFile(new URL(`${name}.br`, outputFolder), await promisify(brotliCompress)(body));
}

await rm(outputFolder, { recursive: true, force: true });
await build({
  ...options,
  entryPoints: ['embed-page.ts', 'embed-absent.ts', 'embed.ts', 'assistant.ts'].map(pathOf),
});
await build({
  ...options,
  entryPoints: [pathOf('plain-form.ts')],
  // The lazily loaded script has a fixed name, because older pages may still request it.
  format: 'esm',
  splitting: true,
  chunkNames: '[name]',
  plugins: [plainSurveyStyles],
});
await build({
  ...options,
  entryPoints: await listLanguages(),
  // The files register their texts with SurveyJS; with this alias they store them for the page, which has SurveyJS.
  alias: { 'survey-core': pathOf('embed-page/survey-locale.ts') },
});
await build({
  ...options,
  entryPoints: [pathOf('account-pages/account-pages.css')],
  target: ['chrome125', 'firefox128', 'safari17.5'],
  plugins: [withoutFonts],
});
await copyFile(pathOf('account-pages/inter.woff2'), pathOf('dist/account-pages.woff2'));
for (const name of await readdir(outputFolder)) await compress(name);
await build({
  ...options,
  outdir: pathOf('dist/docs'),
  entryPoints: [pathOf('reference-page/reference.ts')],
});
