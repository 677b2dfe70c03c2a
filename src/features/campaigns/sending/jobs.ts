/** What time and the relay change: e-mails that have come due, and such as have been sent. */
import Type from 'typebox';
import { defineJob } from '../../../jobs/jobs.ts';
import type { Platform } from '../../../platform.ts';
import { lockRecord, replaceRecord } from '../../../resources/records.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { firstPending } from '../../transmissions/index.ts';
import { emails, sendingJobs } from '../emails/resource.ts';
import { platformWriter } from './platform-writer.ts';
import { findEndedTo, listUnderWay, noteEnded, type UnderWay } from './queries.ts';
import { sendScheduled } from './scheduled.ts';

/** Every few seconds, once across all processes: what time has changed. */
export const watchEmails = defineJob({
  name: 'campaigns.watch-emails',
  payload: Type.Object({}),
  timeoutSeconds: 600,
  schedule: '*/5 * * * * *',
  run: async (platform) => {
    const underWay = await listUnderWay(platform.database.everyTenant('campaigns'), platform.clock());
    const errors: unknown[] = [];
    for (const each of underWay) {
      const work = each.status === 'Scheduled' ? sendScheduled(platform, each) : endSent(platform, each);
      // What cannot be done for one must not keep the others.
      await work.catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Some e-mails could not be looked after.');
  },
});

/** Ends an e-mail of which no message is to be handed over any more. */
async function endSent(platform: Platform, { tenant_id, id, job_id: jobId }: UnderWay): Promise<void> {
  const db = platform.scoped(wholeTenant(tenant_id));
  const endedTo = await findEndedTo(db, jobId);
  if (endedTo === null) return;
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
