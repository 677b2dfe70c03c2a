import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { hasAllRights } from '../../../db/app-role.ts';
import type { Database } from '../../../db/database.ts';
import type { Platform } from '../../../platform.ts';

const DEADLINE_MS = 2000;

/** Returns why the process is not ready (starting, stopping, or database problems); null if it is ready. */
export async function findReadinessProblem(platform: Platform): Promise<string | null> {
  if (platform.drain.started) return 'the process is stopping';
  if (platform.start.step !== null) return `the process is ${platform.start.step}`;
  const answered = probeDatabase(platform.database).catch(() => false);
  const wait = new AbortController();
  const ready = await Promise.race([answered, setTimeout(DEADLINE_MS, false, { signal: wait.signal })]);
  wait.abort();
  return ready ? null : 'the database does not respond, or its request role lacks privileges';
}

/**
 * Returns true if requests and jobs can use the database, checked with their role. Reads a table that all tenants
 * share, so that the process stays ready while some tenants are unavailable. @throws the database error.
 */
export async function probeDatabase(database: Database): Promise<boolean> {
  const { rows } = await database.everyTenant('readiness').raw(sql<{ is_ready: boolean }>`
    select ${sql.raw(hasAllRights('current_user'))} as is_ready from (select count(*) from (select tenant_id from tenants limit 1) t) k`);
  return rows[0]?.is_ready === true;
}
