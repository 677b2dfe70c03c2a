import { createHash } from 'node:crypto';
import { MAX } from 'uuid';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import type { Time } from '../db/tables.ts';
import type { Claim, LedgerRow } from '../ledger/ledger.ts';

/** A job that waits, a schedule, or a job that was given up. */
export interface JobRow extends LedgerRow {
  name: string;
  payload: unknown;
  planned_at: Time;
}

declare module '../db/tables.ts' {
  interface Tables {
    jobs: JobRow;
  }
}

/** Stands for the tenant of the platform's own jobs. Not the nil uuid: ledgers begin their rounds after that one. */
export const PLATFORM = MAX;

/** The ledger and its table. */
export const JOBS = { name: 'jobs', table: 'jobs' };

/** Names a kind of job as a ledger's target; the row of a schedule has it for its id too. */
export function kindId(name: string): string {
  return createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Whether the row is a schedule's. */
export function isSchedule({ id, targetId }: Claim): boolean {
  return id === targetId;
}

/** Leases the row of a claim for longer, unless the lease was lost. */
export async function renewLease(all: EveryTenantDb, claim: Claim, until: Date): Promise<void> {
  const { numUpdatedRows } = await all.query
    .updateTable('jobs')
    .set({ due_at: until })
    .where('tenant_id', '=', claim.tenantId)
    .where('id', '=', claim.id)
    .where('state', '=', 'pending')
    .where('due_at', '=', claim.leasedUntil)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) claim.leasedUntil = until.toISOString();
}
