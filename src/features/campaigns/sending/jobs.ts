/** What time and the relay change: e-mails that have come due, and such as have been sent. */
import Type from 'typebox';
import { settleAll } from '../../../db/settle-all.ts';
import { defineJob } from '../../../jobs/jobs.ts';
import type { Platform } from '../../../platform.ts';
import { lockRecord, replaceRecord } from '../../../resources/records.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { firstPending } from '../../transmissions/index.ts';
import { emails, sendingJobs } from '../emails/resource.ts';
import { freezeAudience } from './freezing.ts';
import { platformWriter } from './platform-writer.ts';
import { findEndedTo, findFreezing, listUnderWay, noteEnded, type UnderWay } from './queries.ts';
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
    const { failures } = await settleAll(rows, EMAILS_AT_ONCE, (each) =>
      each.status === 'Scheduled' ? sendScheduled(platform, each) : endSent(platform, each),
    );
    const errors = failure === undefined ? failures : [...failures, failure];
    if (errors.length > 0) throw new AggregateError(errors, 'Some e-mails could not be looked after.');
  },
});

/** Ends an e-mail of which no message is to be handed over any more. */
async function endSent(platform: Platform, { tenant_id, id, job_id: jobId }: UnderWay): Promise<void> {
  const db = platform.scoped(wholeTenant(tenant_id));
  const endedTo = await findEndedTo(db, jobId);
  if (endedTo === null) return resumeFreezing(platform, db, jobId);
  const pending = await firstPending(db, jobId, endedTo);
  if (pending !== null) {
    if (pending > endedTo) await noteEnded(db, jobId, pending);
    return;
  }
  await db.transaction(async (tx) => {
    const writer = platformWriter(tx, platform.clock());
    const email = await lockRecord(writer, emails, id, 'editor');
    if (email.status !== 'Sending') return;
    await replaceRecord(writer, emails, id, { status: 'Sent' });
    await replaceRecord(writer, sendingJobs, jobId, { status: 'sent' });
  });
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
