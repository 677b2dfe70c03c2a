import { readFile } from 'node:fs/promises';
import { databaseKind } from './test-database.ts';

/** Why a test that looks at resident memory is skipped; false where it can run. */
export const withoutResidentMemory =
  process.platform !== 'linux'
    ? 'resident memory is read from /proc'
    : databaseKind() !== 'embedded' && 'a process holds most with the database in it';

/** What a process has in memory now, MiB. */
export async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

/** Looks at a process' memory until `work` has ended; the most that was seen, MiB. */
export async function mostResidentMib(pid: number, work: Promise<unknown>): Promise<number> {
  let most = await residentMib(pid);
  const timer = setInterval(async () => {
    most = Math.max(most, await residentMib(pid));
  }, LOOK_EVERY_MS);
  try {
    await work;
  } finally {
    clearInterval(timer);
  }
  return Math.max(most, await residentMib(pid));
}

const LOOK_EVERY_MS = 20;
