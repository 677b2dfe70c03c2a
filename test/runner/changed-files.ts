/**
 * Finds the test files that a change can affect. Every test that starts the app loads the whole product, so imports
 * alone would always name nearly all tests. Behind the files that assemble the product, the feature's folder decides.
 */
import { execFile } from 'node:child_process';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { areaOf, featureFolderOf } from '../harness/features.ts';
import { listFiles, ROOT } from '../harness/repository.ts';
import { importsOf, reachableFrom } from './imports.ts';
import { readDeclaration } from './select-files.ts';

/** The files that load every feature. */
const COMPOSITION = new Set(['src/app.ts', 'src/open-platform.ts', 'src/features/index.ts', 'src/main.ts']);
/** Tests over all routes, tables and documents. */
const CONTRACTS = 'test/contract/';
/** Tests that import this start the app. */
const APP = 'test/harness/test-app.ts';
/** Tests that import this open pages. */
const BROWSER = 'test/harness/browser.ts';
/** Folders that only a browser loads or that serve its pages, and the tests that open these pages. */
const PAGES = [
  { sources: /^web\//, isTest: (_: string, reached: ReadonlySet<string>) => reached.has(BROWSER) },
  // The bundle of the console contains the SDK.
  {
    sources: /^(?:console|sdk|src\/features\/console)\//,
    isTest: (test: string) => test.startsWith('test/console/'),
  },
];
/** A change here can affect everything. */
const EVERYTHING = /^(?:migrations\/|package(?:-lock)?\.json$|test\/runner\/)/;

/** Tests that a change can affect, and the routes that they need to call. */
export interface Affected {
  /** Paths of test files. */
  readonly tests: readonly string[];
  /** Names of the changed features, if contract tests need to call only their routes; null: they call all routes. */
  readonly features: readonly string[] | null;
}

/**
 * Lists the files that differ from the merge base with `since` (a branch or commit), including uncommitted ones.
 * @throws if git does not know `since`.
 */
export async function changedFiles(since: string): Promise<string[]> {
  const base = await git('merge-base', since, 'HEAD');
  const changed = await git('diff', '--name-only', base.trim());
  const untracked = await git('ls-files', '--others', '--exclude-standard');
  return [...changed.split('\n'), ...untracked.split('\n')].filter((path) => path !== '');
}

/** Returns the test files among `tests` that the changed files can affect. */
export async function affectedBy(changed: readonly string[], tests: readonly string[]): Promise<Affected> {
  if (changed.length === 0) return { tests: [], features: null };
  if (changed.some((file) => EVERYTHING.test(file))) return { tests, features: null };
  const sources = changed.filter((file) => !file.endsWith('.test.ts'));
  const features = await featuresAround(sources);
  const isPlatform = sources.some((file) => file.startsWith('src/') && areaOf(file) === null);
  const affected: string[] = [];
  for (const test of tests) {
    const reached = await reachableFrom(test, COMPOSITION);
    const startsApp = [...COMPOSITION].some((file) => reached.has(file));
    const isNear = startsApp && (isPlatform || features.has(featureFolderOf(test) ?? ''));
    const opensPages = PAGES.some(
      ({ sources, isTest }) => isTest(test, reached) && changed.some((file) => sources.test(file)),
    );
    const isContract =
      test.startsWith(CONTRACTS) && (await canAffectContract(changed, test, reached.has(APP)));
    if (isNear || opensPages || isContract || changed.some((file) => reached.has(file))) affected.push(test);
  }
  return { tests: affected, features: changedFeatures(changed) };
}

/**
 * True if the files can affect a contract test. It can declare beginnings and ends of their paths:
 * `export const changesWith = ['docs/', '.sql'];`. Without that, any file can affect it, or any code of `src` if it
 * starts the app.
 */
async function canAffectContract(
  files: readonly string[],
  test: string,
  startsApp: boolean,
): Promise<boolean> {
  const parts = (await readDeclaration(test, 'changesWith')) ?? [startsApp ? 'src/' : ''];
  return files.some(
    (file) =>
      !(startsApp && file.endsWith('.test.ts')) &&
      parts.some((part) => file.startsWith(part) || file.endsWith(part)),
  );
}

/** Returns the names of the changed features; null if code of the platform, of an area or of contract tests changed. */
function changedFeatures(changed: readonly string[]): string[] | null {
  const code = changed.filter(
    (file) => /^(?:src|test)\//.test(file) && (!file.endsWith('.test.ts') || file.startsWith(CONTRACTS)),
  );
  const folders = code.map((file) => featureFolderOf(file));
  if (folders.length === 0 || folders.includes(null)) return null;
  return [...new Set(folders.flatMap((folder) => (folder === null ? [] : posix.basename(folder))))];
}

/** Returns the features that contain a changed file, and those that import from them. */
async function featuresAround(changed: readonly string[]): Promise<ReadonlySet<string>> {
  const own = new Set(changed.flatMap((file) => featureFolderOf(file) ?? []));
  // The features of an area are exported to other areas by its api.ts.
  const apis = new Set(changed.map((file) => `src/features/${areaOf(file)}/api.ts`));
  const around = new Set(own);
  for (const file of await listFiles('src/features', '.ts')) {
    const feature = featureFolderOf(file);
    if (feature === null || file.endsWith('.test.ts')) continue;
    const imported = await importsOf(file);
    if (imported.some((path) => own.has(featureFolderOf(path) ?? '') || apis.has(path))) around.add(feature);
  }
  return around;
}

async function git(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
