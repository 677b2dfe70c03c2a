import { readFile } from 'node:fs/promises';
import pg from 'pg';
import type { BenchDatabase } from './bench-database.ts';

/** Private memory of the sessions of a database in MiB, without shared buffers. */
export interface BackendMemory {
  readonly largest: number;
  readonly total: number;
}

/** Reads the memory of a database's sessions. @throws Error if the server is not on this machine. */
export async function backendMemory({ env }: BenchDatabase): Promise<BackendMemory> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(`
      select pid from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`);
    const each = await Promise.all(rows.map(({ pid }) => privateMebibytes(pid)));
    return { largest: Math.max(0, ...each), total: each.reduce((sum, one) => sum + one, 0) };
  } finally {
    await client.end();
  }
}

/** Returns the peak memory of a single session while `work` runs, in MiB. */
export async function peakBackendMemory(
  database: BenchDatabase,
  work: () => Promise<unknown>,
): Promise<number> {
  let peak = 0;
  const sample = async () => {
    peak = Math.max(peak, (await backendMemory(database)).largest);
  };
  const timer = setInterval(() => void sample().catch(() => {}), 1000);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

async function privateMebibytes(pid: number): Promise<number> {
  // The session may have ended.
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/Private_Dirty:\s+(\d+) kB/.exec(text)?.[1] ?? 0) / 1024;
}
