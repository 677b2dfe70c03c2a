/** How long each test file took when it last ran here, so that the longest can start first. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT, readText } from '../harness/repository.ts';
import { databaseKind } from '../harness/test-database.ts';
import type { FileResult } from './worker-process.ts';

const PATH = join(ROOT, `node_modules/.cache/test-durations-${databaseKind()}.json`);
/** A guess for a file that has not run yet: what a character of test code takes, ms. */
const MS_PER_CHARACTER = 0.3;

/** Orders files so that the longest come first: at the end no process waits for another. */
export async function longestFirst(files: readonly string[]): Promise<string[]> {
  const durations = await readDurations();
  const expected = await Promise.all(
    files.map(async (file) => ({
      file,
      ms: durations[file] ?? (await readText(file)).length * MS_PER_CHARACTER,
    })),
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

async function readDurations(): Promise<Record<string, number>> {
  try {
    return JSON.parse(await readFile(PATH, 'utf8'));
  } catch {
    // The first run, or a file that was cut short: it only costs the order.
    return {};
  }
}
