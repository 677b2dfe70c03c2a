/** What a test file loads of the tests' own code, by the imports that stand in the files. */
import { posix } from 'node:path';
import { readText } from '../harness/repository.ts';

/** Imports of types load nothing. */
const IMPORT = /^(?:import|export) (?!type\b)(?:[^;]* from )?'(\.[^']+)';/gm;

/** What the files load that have been read. */
const known = new Map<string, Promise<readonly string[]>>();

/** Whether a test file makes databases, in whatever way, and needs no browser to tell anything. */
export async function isAboutDatabase(file: string): Promise<boolean> {
  const reached = await reachedFrom(file);
  return reached.has('test/harness/test-database.ts') && !reached.has('test/harness/browser.ts');
}

async function reachedFrom(file: string): Promise<ReadonlySet<string>> {
  const reached = new Set([file]);
  for (const each of reached) for (const next of await importsOf(each)) reached.add(next);
  return reached;
}

function importsOf(file: string): Promise<readonly string[]> {
  const found = known.get(file) ?? readImports(file);
  known.set(file, found);
  return found;
}

/** Only those in test/: the product knows nothing of the tests. */
async function readImports(file: string): Promise<readonly string[]> {
  const text = await readText(file);
  return [...text.matchAll(IMPORT)]
    .map(([, path = '']) => posix.join(posix.dirname(file), path))
    .filter((path) => path.startsWith('test/'));
}
