/**
 * Hands each test file to one of the processes that share the work. A process runs many files, one after another:
 * loading the product and starting an app takes longer than the tests of most files.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listFiles } from '../harness/repository.ts';
import { databaseKind, prepareTestDatabases } from '../harness/test-database.ts';
import { isAboutDatabase } from './reached-files.ts';

/** Where the processes of one run note which files are taken. */
const FOLDER = 'TESSERA_TEST_CLAIMS';
/** Which part of the tests they run. */
const PART = 'TESSERA_TEST_PART';

/** The parts by name. Those that kill nodes of clusters are none: they are run one after the other. */
const PARTS: ReadonlyMap<string, (file: string) => boolean> = new Map([
  ['usual', (file) => !/^test\/(?:faults|hostile|nodes)\//.test(file)],
  ['faults', (file) => /^test\/(?:faults|hostile)\//.test(file)],
  ['all', (file) => !file.startsWith('test/nodes/')],
]);
/** Hostile callers, faults outside of the database, and how the program is called are no others on a cluster than on a server; backups are those of one server. */
const AS_ON_A_SERVER =
  /backup|^test\/(?:hostile|scenarios\/(?:commands|embed-limits|image|readme-tour)|faults\/(?:asset|data-folder|drain|import|project|queue-broker|readiness|receiver|relay|report|secret-key|start-messages))/;
/** The longest come first, so that at the end no process waits for another. */
const FOLDERS = ['test', 'src', 'web'];

/** Makes a part of the tests ready before the runner's processes start; they inherit the environment. */
export async function openClaims(part: 'usual' | 'faults' | 'all'): Promise<void> {
  await prepareTestDatabases();
  process.env[PART] = part;
  process.env[FOLDER] = mkdtempSync(join(tmpdir(), 'tessera-claims-'));
}

/** Forgets which files were taken. */
export function closeClaims(): void {
  rmSync(process.env[FOLDER] ?? '', { recursive: true, force: true });
}

/**
 * The test files that are this process's, each when it is asked for. On a server, and on a cluster, these are the ones whose result
 * can differ from that on the embedded database.
 */
export async function* claimFiles(): AsyncGenerator<string> {
  const claims = process.env[FOLDER];
  const isOfPart = PARTS.get(process.env[PART] ?? '');
  if (claims === undefined || isOfPart === undefined)
    throw new Error('Run `npm test`; a single file is run by `node --test <file>`.');
  for (const folder of FOLDERS) {
    for (const file of await listFiles(folder, '.test.ts')) {
      if (!isOfPart(file)) continue;
      if (databaseKind() !== 'embedded' && !(await isAboutDatabase(file))) continue;
      if (databaseKind() === 'cluster' && AS_ON_A_SERVER.test(file)) continue;
      if (await claim(join(claims, file.replaceAll('/', '#')))) yield file;
    }
  }
}

async function claim(note: string): Promise<boolean> {
  try {
    await (await open(note, 'wx')).close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
