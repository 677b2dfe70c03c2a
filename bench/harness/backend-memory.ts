import { readFile } from 'node:fs/promises';
import pg from 'pg';
import type { BenchDatabase } from './bench-database.ts';

/** Private memory of the sessions of a database in MiB, without shared buffers. */
export interface BackendMemory {
  readonly most: number;
  readonly all: number;
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
    return { most: Math.max(0, ...each), all: each.reduce((sum, one) => sum + one, 0) };
  } finally {
    await client.end();
  }
}

/** Returns the peak memory of a single session while `work` runs, in MiB. */
export async function mostBackendMemory(
  database: BenchDatabase,
  work: () => Promise<unknown>,
): Promise<number> {
  let most = 0;
  const look = async () => {
    most = Math.max(most, (await backendMemory(database)).most);
  };
  const timer = setInterval(() => void look().catch(() => {}), 1000);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return most;
}

async function privateMebibytes(pid: number): Promise<number> {
  // It may have ended.
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/Private_Dirty:\s+(\d+) kB/.exec(text)?.[1] ?? 0) / 1024;
}
