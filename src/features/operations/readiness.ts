import { sql } from 'kysely';
import type { Platform } from '../../platform.ts';

const DEADLINE_MS = 2000;

/** Whether database and queue answer in time, and the process is not about to stop. */
export async function checkReadiness(platform: Platform): Promise<boolean> {
  if (platform.drain.started) return false;
  const answered = platform.database
    .everyTenant('readiness')
    .raw(sql`select from jobs limit 1`)
    .then(
      () => true,
      () => false,
    );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), DEADLINE_MS);
  });
  const ready = await Promise.race([answered, late]);
  clearTimeout(timer);
  return ready;
}
