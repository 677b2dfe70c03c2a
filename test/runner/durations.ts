/** Stores how long each test file took in its last run, so that the longest can start first. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT, readText } from '../harness/repository.ts';
import { databaseKind } from '../harness/test-database.ts';
import { importsOf } from './imports.ts';
import type { FileResult } from './worker-process.ts';

const PATH = join(ROOT, `node_modules/.cache/test-durations-${databaseKind()}.json`);
/** Estimate for a file that has not run here yet, in ms: per character, and in addition if it starts processes. */
const MS_PER_CHARACTER = 0.3;
const PROCESSES_MS = 30_000;
/** Files of the harness that start servers, browsers and clusters as processes. */
const STARTS_PROCESSES = new Set(
  ['process', 'browser', 'fault-site', 'own-cluster'].map((name) => `test/harness/${name}.ts`),
);

/** Orders files with the longest first, so that processes end at about the same time. */
export async function longestFirst(files: readonly string[]): Promise<string[]> {
  const durations = await readDurations();
  const expected = await Promise.all(
    files.map(async (file) => ({ file, ms: durations[file] ?? (await guessDuration(file)) })),
  );
  return expected.sort((a, b) => b.ms - a.ms).map(({ file }) => file);
}

/** Stores how long the files of a run took. */
export async function saveDurations(results: readonly FileResult[]): Promise<void> {
  const durations = await readDurations();
  for (const { file, durationMs } of results) durations[file] = Math.round(durationMs);
  await mkdir(dirname(PATH), { recursive: true });
  await writeFile(PATH, JSON.stringify(durations));
}

async function guessDuration(file: string): Promise<number> {
  const own = (await readText(file)).length * MS_PER_CHARACTER;
  const startsProcesses = (await importsOf(file)).some((path) => STARTS_PROCESSES.has(path));
  return file.startsWith('test/hostile/') || startsProcesses ? own + PROCESSES_MS : own;
}

async function readDurations(): Promise<Record<string, number>> {
  try {
    return JSON.parse(await readFile(PATH, 'utf8'));
  } catch {
    // Missing before the first run, or truncated: only the order suffers.
    return {};
  }
}
