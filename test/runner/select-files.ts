/** Chooses the test files of a run, by what the files themselves declare. */
import { listFiles, readText } from '../harness/repository.ts';
import type { DatabaseKind } from '../harness/test-database.ts';
import { isAboutDatabase } from './imports.ts';

/** Groups of test files, by folder. Tests in `nodes` kill nodes of clusters, those in `faults` break and attack. */
export const PARTS = ['usual', 'faults', 'nodes'] as const;

/** A group of test files. */
export type Part = (typeof PARTS)[number];

/** Selection of a run. */
export interface Selection {
  readonly parts: readonly Part[];
  readonly database: DatabaseKind;
  /** True to run every file that can run on the database, not only those that declare it. */
  readonly isFull: boolean;
}

const FOLDERS = ['src', 'test', 'web', 'sdk', 'console'];
const KINDS: readonly DatabaseKind[] = ['embedded', 'server', 'cluster'];

/** Lists the paths of the test files of a selection. @throws if a file declares an unknown kind of database. */
export async function selectFiles(selection: Selection): Promise<string[]> {
  const selected: string[] = [];
  for (const file of await listTestFiles()) {
    if (selection.parts.includes(partOf(file)) && (await belongsTo(file, selection))) selected.push(file);
  }
  return selected;
}

/** Lists all test files. */
export async function listTestFiles(): Promise<string[]> {
  const lists = await Promise.all(FOLDERS.map((folder) => listFiles(folder, '.test.ts')));
  return lists.flat();
}

/** Returns the part that a test file belongs to. */
export function partOf(file: string): Part {
  if (file.startsWith('test/nodes/')) return 'nodes';
  return /^test\/(?:faults|hostile)\//.test(file) ? 'faults' : 'usual';
}

async function belongsTo(file: string, { database, isFull }: Selection): Promise<boolean> {
  if (!isFull) return (await runsOn(file)).includes(database);
  // It cannot work there, or cannot differ.
  if ((await readKinds(file, 'neverRunsOn'))?.includes(database)) return false;
  return database === 'embedded' || partOf(file) === 'nodes' || isAboutDatabase(file);
}

/** A file without a declaration runs on the embedded database, and one of `test/nodes` on a cluster. */
async function runsOn(file: string): Promise<readonly DatabaseKind[]> {
  return (await readKinds(file, 'runsOn')) ?? [partOf(file) === 'nodes' ? 'cluster' : 'embedded'];
}

async function readKinds(file: string, name: string): Promise<readonly DatabaseKind[] | null> {
  const names = await readDeclaration(file, name);
  if (names === null) return null;
  return names.map((each) => {
    const kind = KINDS.find((known) => known === each);
    if (kind === undefined)
      throw new Error(`${file}: "${each}" is not a kind of database; use ${KINDS.join(', ')}.`);
    return kind;
  });
}

/**
 * Returns what a test file declares under a name, such as `export const runsOn = ['embedded', 'server'];`; null if it
 * declares nothing.
 */
export async function readDeclaration(file: string, name: string): Promise<readonly string[] | null> {
  const [, list] = new RegExp(`^export const ${name} = \\[(.*?)\\];$`, 'ms').exec(await readText(file)) ?? [];
  return list === undefined ? null : [...list.matchAll(/'(.*?)'/g)].map(([, each = '']) => each);
}
