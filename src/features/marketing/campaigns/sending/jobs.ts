/** Job that starts due emails and ends those whose messages have been sent. */
import Type from 'typebox';
import { allSettled } from '../../../../db/all-settled.ts';
import { defineJob } from '../../../../jobs/jobs.ts';
import type { Platform } from '../../../../platform.ts';
import { closedTenants } from '../../../../tenancy/closed-tenants.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { snapshotAudience } from './audience-snapshot.ts';
import { completeIfSent } from './completion.ts';
import { type ActiveEmail, findUnfinishedJob, listActiveEmails } from './queries.ts';
import { sendScheduled } from './scheduled-sending.ts';

/** Maximum number of emails that are processed at the same time. */
const MAX_CONCURRENT_EMAILS = 4;

/** Polls scheduled and active emails every few seconds, in one process at a time. */
export const watchEmails = defineJob({
  name: 'campaigns.watch-emails',
  payload: Type.Object({}),
  timeoutSeconds: 600,
  schedule: '*/5 * * * * *',
  run: async (platform) => {
    const all = platform.database.everyTenant('campaigns');
    const { rows, failure } = await listActiveEmails(all, platform.clock());
    // The failure of one email must not stop the others.
    const open = rows.filter(({ tenant_id }) => !closedTenants(platform).has(tenant_id));
    const { failures } = await allSettled(open, MAX_CONCURRENT_EMAILS, (each) =>
      each.status === 'Scheduled' ? sendScheduled(platform, each) : continueSending(platform, each),
    );
    const errors = failure === undefined ? failures : [...failures, failure];
    if (errors.length > 0) throw new AggregateError(errors, 'Some emails could not be processed.');
  },
});

/** Ends an email that has been sent, or resumes its audience snapshot. */
async function continueSending(
  platform: Platform,
  { tenant_id, id, job_id: jobId }: ActiveEmail,
): Promise<void> {
  const db = platform.scoped(wholeTenant(tenant_id));
  if (!(await completeIfSent(platform, db, id, jobId))) await resumeSnapshot(platform, db, jobId);
}

/** Enqueues the snapshot job again if it failed after many attempts. */
async function resumeSnapshot(platform: Platform, db: ScopedDb, jobId: string): Promise<void> {
  if ((await findUnfinishedJob(db, jobId)) === null) return;
  const payload = { tenantId: db.tenantId, jobId };
  await db.transaction(async (tx) => {
    if (!(await platform.jobs.isPending(tx, snapshotAudience, payload)))
      await platform.jobs.enqueue(tx, snapshotAudience, payload);
  });
}
