import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { hasAllRights } from '../../db/app-role.ts';
import type { Database } from '../../db/database.ts';
import type { Platform } from '../../platform.ts';

const DEADLINE_MS = 2000;

/** Whether the database answers in time, with rights on all its tables, and the process is not about to stop. */
export async function checkReadiness(platform: Platform): Promise<boolean> {
  if (platform.drain.started) return false;
  const answered = probeDatabase(platform.database).catch(() => false);
  const wait = new AbortController();
  const ready = await Promise.race([answered, setTimeout(DEADLINE_MS, false, { signal: wait.signal })]);
  wait.abort();
  return ready;
}

/**
 * Whether requests and jobs can work: asked as their role. The table that is read is on every node of a cluster, so one that is
 * away takes no process from the tenants of the others. @throws what the database says.
 */
export async function probeDatabase(database: Database): Promise<boolean> {
  const { rows } = await database.everyTenant('readiness').raw(sql<{ is_ready: boolean }>`
    select ${sql.raw(hasAllRights('current_user'))} as is_ready from (select count(*) from (select tenant_id from tenants limit 1) t) k`);
  return rows[0]?.is_ready === true;
}
