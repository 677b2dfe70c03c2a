/**
 * Finds the test files that a change can affect. Every test that starts the app loads the whole product, so imports
 * alone would always name nearly all tests. Behind the files that assemble the product, the feature's folder decides.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { areaOf, featureFolderOf } from '../harness/features.ts';
import { listFiles, ROOT } from '../harness/repository.ts';
import { importsOf, reachableFrom } from './imports.ts';

/** The files that load every feature. */
const COMPOSITION = new Set(['src/app.ts', 'src/open-platform.ts', 'src/features/index.ts', 'src/main.ts']);
/** Tests over all routes, tables and documents. */
const CONTRACTS = 'test/contract/';
/** Code that runs only in clients, so tests that call the app without it cannot be affected. */
const CLIENTS = /^(?:console|sdk)\//;
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
export async function affectedBy(changed: readonly string[], tests: readonly string[]): Promise<string[]> {
  if (changed.length === 0) return [];
  if (changed.some((file) => EVERYTHING.test(file))) return [...tests];
  const features = await featuresAround(changed);
  const isOnlyClients = changed.every((file) => CLIENTS.test(file));
  const isPlatform = changed.some((file) => file.startsWith('src/') && areaOf(file) === null);
  const affected: string[] = [];
  for (const test of tests) {
    const reached = await reachableFrom(test, COMPOSITION);
    const startsApp = [...COMPOSITION].some((file) => reached.has(file));
    const isNear = startsApp && (isPlatform || features.has(featureFolderOf(test) ?? ''));
    const opensPages = PAGES.some(
      ({ sources, isTest }) => isTest(test, reached) && changed.some((file) => sources.test(file)),
    );
    const isContract = test.startsWith(CONTRACTS) && !(isOnlyClients && reached.has(APP));
    if (isNear || opensPages || isContract || changed.some((file) => reached.has(file))) affected.push(test);
  }
  return affected;
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
