/**
 * Bundles the console into `console/dist/assets`, with compressed copies, and lists in `console/dist/manifest.json`
 * what a page has to load. Fails if a screen needs more than its size budget.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { icons } from './icons.ts';
import { joinScripts } from './join-scripts.ts';
import { onlyConsoleLocales } from './locales.ts';
import { compiledMessages } from './messages.ts';
import { operations } from './operations.ts';
import { findPreloads } from './preloads.ts';
import { singleImports } from './single-imports.ts';
import { allStyles } from './styles.ts';

const FOLDER = join(import.meta.dirname, '..');
const DIST = join(FOLDER, 'dist');
const ASSETS = join(DIST, 'assets');
const MAIN = 'console/main.tsx';
/** The first screen after the sign-in, with its texts. */
const FIRST_SCREEN = ['console/features/home/home.tsx', 'console/features/home/texts.en.json'];
/** Texts of the frame that are loaded with the first screen. */
const FRAME_TEXTS = ['shell', 'ui', 'forms'].map((folder) => `console/${folder}/texts.en.json`);
/** The script of the frame for foreign HTML. Not a module, because the frame's opaque origin may not load one. */
const FRAME = 'console/preview/frame.ts';
const STYLES = 'console/console.css';
const SIGN_IN = 'console/sign-in.css';
/** Size limits in bytes after Brotli. `screen` limits what any other screen adds to the files of every page. */
const BUDGET = { js: 180_000, css: 15_000, screen: 50_000 };
/** Modules that every page loads right after its first screen. */
const AFTER_FIRST_SCREEN = [
  'console/ui/toasts.tsx',
  'console/ui/command-dialog.tsx',
  'console/shell/password-prompt.tsx',
];
/** Small parts of most screens. */
const SMALL_PARTS = [
  'ui/badge.tsx',
  'ui/banner.tsx',
  'ui/confirm-dialog.tsx',
  'ui/empty-state.tsx',
  'ui/relative-time.tsx',
  'ui/skeleton.tsx',
  'drafts/draft-badge.tsx',
  'forms/api-call/api-call-button.tsx',
  'forms/use-access-reason.ts',
  'forms/use-action.ts',
  'shell/load-failure.tsx',
  'shell/owners-only.tsx',
].map((file) => `console/${file}`);
/** Large parts of most screens: a choice, a table, and forms. */
const CHOICE = ['console/ui/select.tsx'];
const TABLES = ['console/table/data-table.tsx'];
const FORMS = [
  'console/forms/operation-form.tsx',
  'console/forms/form-field.tsx',
  'console/drafts/draft-frame.tsx',
  'console/ui/drawer.tsx',
];
/** Feature that shows all components, to developers only. */
const WITHOUT_BUDGET = 'parts';
/** Entry points that are screens, or parts of one that are loaded on demand. */
const SCREEN = /^console\/features\/(?<feature>[^/]+)\/(?<name>[\w-]+)\.tsx$/;

const options: BuildOptions = {
  absWorkingDir: join(FOLDER, '..'),
  entryPoints: [MAIN, STYLES, SIGN_IN],
  outdir: 'console/dist/assets',
  bundle: true,
  splitting: true,
  minify: true,
  metafile: true,
  format: 'esm',
  jsx: 'automatic',
  target: ['chrome125', 'firefox128', 'safari17.5'],
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.woff2': 'file' },
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'eof',
  logLevel: 'warning',
  plugins: [icons, operations, allStyles, compiledMessages, onlyConsoleLocales, singleImports],
};

await rm(DIST, { recursive: true, force: true });
const metafile = await bundle(options);
const frame = await bundle({
  ...options,
  entryPoints: [FRAME],
  splitting: false,
  format: 'iife',
  plugins: [],
});
await removeScriptStyles(metafile);
const screenEntries = listScreens(metafile);
const scripts = await joinScripts({
  folder: ASSETS,
  metafile,
  main: MAIN,
  shared: [
    { name: 'page', sources: [MAIN] },
    { name: 'first-screen', sources: FIRST_SCREEN },
    { name: 'dialogs', sources: AFTER_FIRST_SCREEN },
    { name: 'small-parts', sources: SMALL_PARTS },
    { name: 'choice', sources: CHOICE },
    { name: 'tables', sources: TABLES },
    { name: 'forms', sources: FORMS },
  ],
});
const firstScreen = [
  ...new Set([MAIN, ...FIRST_SCREEN, ...FRAME_TEXTS].flatMap((entry) => scripts.filesOf(entry))),
];
const preloads = await findPreloads(metafile, scripts);
const names = await readdir(ASSETS);
const sizes = await compressAll(names);
await mkdir(DIST, { recursive: true });
await writeFile(join(DIST, 'manifest.json'), JSON.stringify(manifest()));
checkBudget();

/** Builds files and returns what esbuild wrote. */
async function bundle(options: BuildOptions): Promise<Metafile> {
  const { metafile } = await build(options);
  if (metafile === undefined) throw new Error('esbuild returned no metafile');
  return metafile;
}

/** Removes the style sheets that esbuild writes for scripts: the one of {@link STYLES} contains their rules. */
async function removeScriptStyles({ outputs }: Metafile): Promise<void> {
  for (const { cssBundle } of Object.values(outputs)) {
    if (cssBundle === undefined) continue;
    await rm(join(options.absWorkingDir ?? '', cssBundle), { force: true });
    delete outputs[cssBundle];
  }
}

/** Returns the entry points of all screens that have a budget. */
function listScreens({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ entryPoint = '' }) => {
    const screen = SCREEN.exec(entryPoint);
    return screen === null || screen.groups?.feature === WITHOUT_BUDGET ? [] : entryPoint;
  });
}

/** Returns the files that a page loads, by use; names are relative to `console/dist/assets`. */
function manifest(): object {
  const pick = (pattern: RegExp) => names.filter((name) => pattern.test(name));
  const [main = '', ...preload] = scripts.filesOf(MAIN);
  return {
    scripts: [main],
    preload,
    screens: preloads.map(({ path, files }) => ({ path, preload: files })),
    styles: pick(/^console-\w+\.css$/),
    signIn: { styles: pick(/^sign-in-\w+\.css$/) },
    fonts: pick(/^inter-latin-wght-normal-\w+\.woff2$/),
    frame: Object.keys(frame.outputs).map((file) => basename(file))[0],
  };
}

/** Writes `.br` and `.gz` copies of text files. Returns sizes after Brotli by file. */
async function compressAll(files: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  for (const file of files.filter((each) => /\.(js|css)$/.test(each))) {
    const path = join(ASSETS, file);
    const body = await readFile(path);
    const brotli = await promisify(brotliCompress)(body, { params });
    await writeFile(`${path}.br`, brotli);
    await writeFile(`${path}.gz`, await promisify(gzip)(body, { level: 9 }));
    found.set(file, brotli.byteLength);
  }
  return found;
}

function checkBudget(): void {
  const js = sizeOf(firstScreen);
  const css = sizeOf(names.filter((file) => /^console-\w+\.css$/.test(file)));
  const screens = measureScreens().sort((a, b) => b.size - a.size);
  const largest = screens.slice(0, 3).map(({ name, size }) => `${name} ${size}`);
  process.stdout.write(
    `console: ${firstScreen.length} scripts with ${js} of ${BUDGET.js} bytes, styles ${css} of ${BUDGET.css} bytes (Brotli)\n` +
      `largest of ${screens.length} screens, of ${BUDGET.screen} bytes: ${largest.join(', ')}\n`,
  );
  if (js > BUDGET.js || css > BUDGET.css)
    throw new Error("The console's first screen exceeds its size budget.");
  const tooLarge = screens.filter(({ size }) => size > BUDGET.screen).map(({ name }) => name);
  if (tooLarge.length > 0) throw new Error(`These screens exceed their size budget: ${tooLarge.join(', ')}.`);
}

/** Bytes of the scripts that each screen needs beyond those of every page, with the English texts of its feature. */
function measureScreens(): { readonly name: string; readonly size: number }[] {
  const ofEveryPage = new Set([
    ...firstScreen,
    ...AFTER_FIRST_SCREEN.flatMap((each) => scripts.filesOf(each)),
  ]);
  return screenEntries.map((entry) => {
    const { feature = '', name = '' } = SCREEN.exec(entry)?.groups ?? {};
    const texts = `console/features/${feature}/texts.en.json`;
    const needed = [entry, ...(texts in metafile.inputs ? [texts] : [])];
    const files = new Set(needed.flatMap((each) => scripts.filesOf(each)));
    return { name: `${feature}/${name}`, size: sizeOf([...files.difference(ofEveryPage)]) };
  });
}

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
}
