import { readFile } from 'node:fs/promises';
import { databaseKind } from './test-database.ts';

/** Reason to skip tests of resident memory; false if they can run. */
export const withoutResidentMemory =
  process.platform !== 'linux'
    ? 'resident memory is read from /proc'
    : databaseKind() !== 'embedded' &&
      'limits are for a process with the embedded database, which needs the most memory';

/** Returns the resident memory of a process in MiB. */
export async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

/** Returns the peak resident memory of a process while `work` runs, in MiB. */
export async function peakResidentMib(pid: number, work: Promise<unknown>): Promise<number> {
  let most = await residentMib(pid);
  const timer = setInterval(async () => {
    most = Math.max(most, await residentMib(pid));
  }, SAMPLE_EVERY_MS);
  try {
    await work;
  } finally {
    clearInterval(timer);
  }
  return Math.max(most, await residentMib(pid));
}

const SAMPLE_EVERY_MS = 20;
