import { createHash } from 'node:crypto';
import { MAX } from 'uuid';
import type { Time } from '../db/tables.ts';
import type { Claim } from '../work-queue/claim.ts';
import type { QueueItem } from '../work-queue/work-queue.ts';

/** A waiting job, a failed job, or a schedule. */
export interface JobRow extends QueueItem {
  name: string;
  payload: unknown;
  planned_at: Time;
}

declare module '../db/tables.ts' {
  interface Tables {
    jobs: JobRow;
  }
}

/**
 * Placeholder tenant id of the platform's own jobs. Not the nil UUID, because work queues start their rounds after it.
 */
export const PLATFORM_TENANT_ID = MAX;

/** The work queue and its table. */
export const JOBS = { name: 'jobs', table: 'jobs' };

/** Returns the target id of a kind of job; a schedule's row also uses it as its id. */
export function kindId(name: string): string {
  return createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** True if the claim is of a schedule's row. */
export function isSchedule({ id, targetId }: Claim): boolean {
  return id === targetId;
}
