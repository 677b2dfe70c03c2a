/**
 * Bundles the console into `console/dist/assets`, with compressed copies, and lists in `console/dist/manifest.json`
 * what a page has to load. Fails if a screen needs more than its size budget.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { icons } from './icons.ts';
import { onlyConsoleLocales } from './locales.ts';
import { compiledMessages } from './messages.ts';
import { operations } from './operations.ts';
import { findPreloads } from './preloads.ts';
import { singleImports } from './single-imports.ts';
import { allStyles } from './styles.ts';

const FOLDER = join(import.meta.dirname, '..');
const DIST = join(FOLDER, 'dist');
const MAIN = 'console/main.tsx';
/** The first screen after the sign-in, with its texts. */
const FIRST_SCREEN = ['console/features/home/home.tsx', 'console/features/home/texts.en.json'];
/** Texts of the frame that are loaded with the first screen. */
const FRAME_TEXTS = ['console/shell/texts.en.json', 'console/ui/texts.en.json'];
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
/** Feature that shows all components, to developers only. */
const WITHOUT_BUDGET = 'parts';

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
  legalComments: 'linked',
  logLevel: 'warning',
  plugins: [icons, operations, allStyles, compiledMessages, onlyConsoleLocales, singleImports],
};

await rm(DIST, { recursive: true, force: true });
const metafile = await bundle(options);
const frameFile = await bundle({
  ...options,
  entryPoints: [FRAME],
  splitting: false,
  format: 'iife',
  plugins: [],
});
await removeScriptStyles(metafile);
const scripts = filesOfEntry(metafile, MAIN);
const firstScreen = [
  ...new Set([MAIN, ...FIRST_SCREEN, ...FRAME_TEXTS].flatMap((entry) => filesOfEntry(metafile, entry))),
];
const screens = await findPreloads(metafile, (entry) => filesOfEntry(metafile, entry), new Set(scripts));
const sizes = await compressAll([metafile, frameFile].flatMap(({ outputs }) => Object.keys(outputs)));
await mkdir(DIST, { recursive: true });
await writeFile(
  join(DIST, 'manifest.json'),
  JSON.stringify({ ...manifest(metafile, scripts), frame: frameName(frameFile) }),
);
checkBudget(metafile);

/** Builds files and returns what esbuild wrote. */
async function bundle(options: BuildOptions): Promise<Metafile> {
  const { metafile } = await build(options);
  if (metafile === undefined) throw new Error('esbuild returned no metafile');
  return metafile;
}

function frameName(built: Metafile): string {
  return basename(filesOfEntry(built, FRAME)[0] ?? '');
}

/** Removes the style sheets that esbuild writes for scripts: the one of {@link STYLES} contains their rules. */
async function removeScriptStyles({ outputs }: Metafile): Promise<void> {
  for (const { cssBundle } of Object.values(outputs)) {
    if (cssBundle === undefined) continue;
    await rm(join(options.absWorkingDir ?? '', cssBundle), { force: true });
    await rm(join(options.absWorkingDir ?? '', `${cssBundle}.LEGAL.txt`), { force: true });
    delete outputs[cssBundle];
  }
}

/** Returns the output files that an entry point needs before it can run: its own, then its static imports. */
function filesOfEntry({ outputs }: Metafile, entry: string): string[] {
  const start = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === entry);
  if (start === undefined) throw new Error(`esbuild wrote no file for ${entry}`);
  const found = new Set([start]);
  for (const file of found)
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement') found.add(path);
  return [...found];
}

/** Returns the files that a page loads, by use; names are relative to `console/dist/assets`. */
function manifest({ outputs }: Metafile, [main = '', ...chunks]: readonly string[]): object {
  const names = Object.keys(outputs).map((file) => basename(file));
  const pick = (pattern: RegExp) => names.filter((name) => pattern.test(name));
  return {
    scripts: [basename(main)],
    preload: chunks.map((file) => basename(file)),
    screens: screens.map(({ path, files }) => ({
      path,
      preload: { en: files.en.map((file) => basename(file)), de: files.de.map((file) => basename(file)) },
    })),
    styles: pick(/^console-\w+\.css$/),
    signIn: { styles: pick(/^sign-in-\w+\.css$/) },
    fonts: pick(/^inter-latin-wght-normal-\w+\.woff2$/),
  };
}

/** Writes `.br` and `.gz` copies of text files. Returns sizes after Brotli by file. */
async function compressAll(files: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  for (const file of files.filter((each) => /\.(js|css)$/.test(each))) {
    const path = join(options.absWorkingDir ?? '', file);
    const body = await readFile(path);
    const brotli = await promisify(brotliCompress)(body, { params });
    await writeFile(`${path}.br`, brotli);
    await writeFile(`${path}.gz`, await promisify(gzip)(body, { level: 9 }));
    found.set(file, brotli.byteLength);
  }
  return found;
}

function checkBudget(written: Metafile): void {
  const js = sizeOf(firstScreen);
  const css = sizeOf([...sizes.keys()].filter((file) => /console-\w+\.css$/.test(file)));
  const screens = measureScreens(written).sort((a, b) => b.size - a.size);
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
function measureScreens(written: Metafile): { readonly name: string; readonly size: number }[] {
  const ofEveryPage = new Set([
    ...firstScreen,
    ...AFTER_FIRST_SCREEN.flatMap((each) => filesOfEntry(written, each)),
  ]);
  const entries = Object.values(written.outputs).map(({ entryPoint = '' }) => entryPoint);
  return entries.flatMap((entry) => {
    const [, feature = '', name = ''] = /^console\/features\/([^/]+)\/([\w-]+)\.tsx$/.exec(entry) ?? [];
    if (name === '' || feature === WITHOUT_BUDGET) return [];
    const texts = `console/features/${feature}/texts.en.json`;
    const needed = [entry, ...(entries.includes(texts) ? [texts] : [])];
    const files = new Set(needed.flatMap((each) => filesOfEntry(written, each)));
    return [{ name: `${feature}/${name}`, size: sizeOf([...files.difference(ofEveryPage)]) }];
  });
}

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
}
