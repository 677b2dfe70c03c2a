/** The import graph of the repository's TypeScript files, read from their text. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT, readText } from '../harness/repository.ts';

/** Static and dynamic imports of relative paths; imports of types load nothing. */
const IMPORT = /^\s*(?:import|export) (?!type\b)(?:[^;]*? from )?'(\.[^']+)';|\bimport\('(\.[^']+)'\)/gm;
/** Files named by `new URL('./x.ts', import.meta.url)`, which is how worker threads are started. */
const URL_OF_FILE = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g;

const known = new Map<string, Promise<readonly string[]>>();

/** Returns true if the result of a test file can depend on the kind of database: it uses one, and needs no browser. */
export async function isAboutDatabase(file: string): Promise<boolean> {
  const reached = await reachableFrom(file);
  return reached.has('test/harness/test-database.ts') && !reached.has('test/harness/browser.ts');
}

/**
 * Returns the file and all files that it loads, directly or through others; it does not look behind those in `ends`.
 */
export async function reachableFrom(
  file: string,
  ends: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string>> {
  const reached = new Set([file]);
  for (const each of reached) {
    if (!ends.has(each)) for (const next of await importsOf(each)) reached.add(next);
  }
  return reached;
}

/** Returns the files that a file imports directly. */
export function importsOf(file: string): Promise<readonly string[]> {
  const found = known.get(file) ?? readImports(file);
  known.set(file, found);
  return found;
}

async function readImports(file: string): Promise<readonly string[]> {
  const text = await readText(file);
  return [...text.matchAll(IMPORT), ...text.matchAll(URL_OF_FILE)]
    .map(([, path, dynamicPath]) => posix.join(posix.dirname(file), path ?? dynamicPath ?? ''))
    .filter((path) => path.endsWith('.ts') && existsSync(join(ROOT, path)));
}
