/** What time and the relay change: e-mails that have come due, and such as have been sent. */
import Type from 'typebox';
import { settleAll } from '../../../db/settle-all.ts';
import { defineJob } from '../../../jobs/jobs.ts';
import type { Platform } from '../../../platform.ts';
import { closedTenants } from '../../../tenancy/closed-tenants.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { endWhenSent } from './ending.ts';
import { freezeAudience } from './freezing.ts';
import { findFreezing, listUnderWay, type UnderWay } from './queries.ts';
import { sendScheduled } from './scheduled.ts';

/** E-mails that are looked after at the same time. */
const EMAILS_AT_ONCE = 4;

/** Every few seconds, once across all processes: what time has changed. */
export const watchEmails = defineJob({
  name: 'campaigns.watch-emails',
  payload: Type.Object({}),
  timeoutSeconds: 600,
  schedule: '*/5 * * * * *',
  run: async (platform) => {
    const all = platform.database.everyTenant('campaigns');
    const { rows, failure } = await listUnderWay(all, platform.clock());
    // What cannot be done for one must not keep the others.
    const open = rows.filter(({ tenant_id }) => !closedTenants(platform).has(tenant_id));
    const { failures } = await settleAll(open, EMAILS_AT_ONCE, (each) =>
      each.status === 'Scheduled' ? sendScheduled(platform, each) : lookAfter(platform, each),
    );
    const errors = failure === undefined ? failures : [...failures, failure];
    if (errors.length > 0) throw new AggregateError(errors, 'Some e-mails could not be looked after.');
  },
});

/** Ends an e-mail that has been sent, or has its freezing go on. */
async function lookAfter(platform: Platform, { tenant_id, id, job_id: jobId }: UnderWay): Promise<void> {
  const db = platform.scoped(wholeTenant(tenant_id));
  if (!(await endWhenSent(platform, db, id, jobId))) await resumeFreezing(platform, db, jobId);
}

/** Has a freezing go on whose job was given up after many faults. */
async function resumeFreezing(platform: Platform, db: ScopedDb, jobId: string): Promise<void> {
  if ((await findFreezing(db, jobId)) === null) return;
  const payload = { tenantId: db.tenantId, jobId };
  await db.transaction(async (tx) => {
    if (!(await platform.jobs.isPending(tx, freezeAudience, payload)))
      await platform.jobs.enqueue(tx, freezeAudience, payload);
  });
}
