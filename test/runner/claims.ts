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
/** Backups are those of one server. */
const OF_ONE_SERVER = /backup/;
/** The longest come first, so that at the end no process waits for another. */
const FOLDERS = ['test', 'src', 'web'];

/** Called by the test runner before its processes start; they inherit the environment. */
export async function globalSetup(): Promise<void> {
  await prepareTestDatabases();
  process.env[FOLDER] = mkdtempSync(join(tmpdir(), 'tessera-claims-'));
}

/** Called by the test runner at the end. */
export function globalTeardown(): void {
  rmSync(process.env[FOLDER] ?? '', { recursive: true, force: true });
}

/**
 * The test files that are this process's, each when it is asked for. On a cluster these are the ones whose result can
 * differ from that on a server.
 */
export async function* claimFiles(): AsyncGenerator<string> {
  const claims = process.env[FOLDER];
  if (claims === undefined) throw new Error('Run `npm test`; a single file is run by `node --test <file>`.');
  for (const folder of FOLDERS) {
    for (const file of await listFiles(folder, '.test.ts')) {
      // They kill the nodes of clusters of their own, one after the other: npm run test:nodes.
      if (file.startsWith('test/nodes/')) continue;
      if (databaseKind() === 'cluster' && (OF_ONE_SERVER.test(file) || !(await isAboutDatabase(file))))
        continue;
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
