/** Snapshot of an audience: a job writes the messages of a sending in batches, while the first ones are sent. */
import { setTimeout as pause } from 'node:timers/promises';
import Type from 'typebox';
import { defineJob } from '../../../../jobs/jobs.ts';
import type { Platform } from '../../../../platform.ts';
import { findRecord, replaceRecord } from '../../../../resources/records.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import { areMembersCurrent } from '../../../contacts/api.ts';
import { sendings } from '../../../mail/api.ts';
import { emails, sendingJobs } from '../emails/resource.ts';
import { completeIfSent } from './completion.ts';
import { platformWriter } from './platform-writer.ts';
import { BATCH_SIZE, findUnfinishedJob, lockUnfinishedJob, recordProgress, writeBatch } from './queries.ts';

/** Maximum time that one attempt of the job waits for computed audiences, in ms. */
const MAX_WAIT_MS = 60_000;
const POLL_INTERVAL_MS = 200;

/** Writes the messages of a sending in batches. After a crash it continues with the next batch. */
export const snapshotAudience = defineJob({
  name: 'campaigns.freeze-audience',
  payload: Type.Object({ tenantId: Type.String(), jobId: Type.String() }),
  timeoutSeconds: 6 * 3600,
  run: async (platform, { tenantId, jobId }) => {
    await untilAudiencesAreCurrent(platform, tenantId, jobId);
    while (await writeNextBatch(platform, tenantId, jobId)) {
      sendings.wakeCampaignQueue(platform);
      // Another process continues the job.
      if (platform.drain.started) throw new Error('The process is shutting down.');
    }
    sendings.wakeCampaignQueue(platform);
    await endIfNoRecipients(platform, tenantId, jobId);
  },
});

/** Ends a sending without recipients. */
async function endIfNoRecipients(platform: Platform, tenantId: string, jobId: string): Promise<void> {
  const db = platform.scoped(wholeTenant(tenantId));
  const job = await findRecord(db, sendingJobs, jobId);
  if (job?.recipients === 0) await completeIfSent(platform, db, job.marketing_email_id, jobId);
}

/** Waits until computed audiences include all changes from before the sending began. */
async function untilAudiencesAreCurrent(platform: Platform, tenantId: string, jobId: string): Promise<void> {
  const db = platform.scoped(wholeTenant(tenantId));
  const endAt = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const job = await findUnfinishedJob(db, jobId);
    if (job === null || (await areMembersCurrent(db, job.groups, new Date(job.created_at)))) return;
    // The job is retried.
    if (performance.now() > endAt || platform.drain.started)
      throw new Error('An audience of the email is still being computed.');
    await pause(POLL_INTERVAL_MS);
  }
}

/** Writes the next batch. Returns false after the last one. */
async function writeNextBatch(platform: Platform, tenantId: string, jobId: string): Promise<boolean> {
  return platform.scoped(wholeTenant(tenantId)).transaction(async (db) => {
    const job = await lockUnfinishedJob(db, jobId);
    if (job === null) return false;
    const now = platform.clock();
    const email = await findRecord(db, emails, job.marketing_email_id);
    // Emails cannot be deleted while they are sent; a missing one has nothing to send.
    if (email === null) return false;
    const batch = await writeBatch(db, {
      job,
      startedAt: job.created_at,
      groups: job.groups,
      after: job.frozen_to,
      subscriptionTypeId: email.subscription_type_id,
      now,
    });
    const recipients = job.recipients + batch.written;
    await recordProgress(db, jobId, batch.last ?? job.frozen_to, recipients);
    if (batch.scanned === BATCH_SIZE) return true;
    await sendings.finishInserting(db, jobId, recipients, now);
    await replaceRecord(platformWriter(db, now), sendingJobs, jobId, { status: 'sending' });
    return false;
  });
}
