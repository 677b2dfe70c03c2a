import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { plainStyles } from './plain-styles.ts';

/**
 * Bundles what a visitor's browser runs into `web/dist/`: `plain-form.js` and `plain-form.css` for the page of a plain
 * form, with `sanitize-html.js` for those that show HTML; `embed-page.js` and `embed-page.css` for any other, `locale-….js`
 * with SurveyJS's texts in each language; and `embed.js` for the pages that show a form; `assistant.js` for those that
 * show a conversation. Each file also
 * lies there compressed, so that no request pays for it. What the page of the API reference runs lies in `web/dist/docs/`; the server
 * compresses it with the files of Swagger UI.
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
  // The licences of the bundled libraries ask that their notices travel along.
  legalComments: 'eof',
  logLevel: 'warning',
};

/** SurveyJS's files of texts by its name of their language; English is in SurveyJS itself. */
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

/** Stands in for SurveyJS's sheet where `plain-survey.css` is imported. */
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
  // The script that is loaded later keeps its name, which an older page may still ask for.
  format: 'esm',
  splitting: true,
  chunkNames: '[name]',
  plugins: [plainSurveyStyles],
});
await build({
  ...options,
  entryPoints: await listLanguages(),
  // The files hand their texts to SurveyJS; here they leave them for the page, which brings SurveyJS itself.
  alias: { 'survey-core': pathOf('embed-page/survey-locale.ts') },
});
for (const name of await readdir(outputFolder)) await compress(name);
await build({
  ...options,
  outdir: pathOf('dist/docs'),
  entryPoints: [pathOf('reference-page/reference.ts')],
});
