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
/** `export const runsOn = ['embedded', 'server'];` in a test file. */
const RUNS_ON = /^export const runsOn = \[(.*?)\];$/ms;
/** `export const neverRunsOn = ['cluster'];` in a test file: it cannot work there, or cannot differ. */
const NEVER_RUNS_ON = /^export const neverRunsOn = \[(.*?)\];$/ms;

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
  if ((await declared(file, NEVER_RUNS_ON))?.includes(database)) return false;
  return database === 'embedded' || partOf(file) === 'nodes' || isAboutDatabase(file);
}

/** A file without a declaration runs on the embedded database, and one of `test/nodes` on a cluster. */
async function runsOn(file: string): Promise<readonly DatabaseKind[]> {
  return (await declared(file, RUNS_ON)) ?? [partOf(file) === 'nodes' ? 'cluster' : 'embedded'];
}

async function declared(file: string, declaration: RegExp): Promise<readonly DatabaseKind[] | null> {
  const [, list] = declaration.exec(await readText(file)) ?? [];
  if (list === undefined) return null;
  const names = [...list.matchAll(/'(.*?)'/g)].map(([, name]) => name);
  return names.map((name) => {
    const kind = KINDS.find((each) => each === name);
    if (kind === undefined)
      throw new Error(`${file}: "${name}" is not a kind of database; use ${KINDS.join(', ')}.`);
    return kind;
  });
}
