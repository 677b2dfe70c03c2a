/** The freezing of an audience: the messages of a sending are written by portions, while the first of them leave. */
import Type from 'typebox';
import { defineJob } from '../../../jobs/jobs.ts';
import type { Platform } from '../../../platform.ts';
import { findRecord, replaceRecord } from '../../../resources/records.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { CAMPAIGN_LANE, endWriting, ledgerOf } from '../../transmissions/index.ts';
import { emails, sendingJobs } from '../emails/resource.ts';
import { platformWriter } from './platform-writer.ts';
import { freezePortion, lockFreezing, noteFrozen, PORTION } from './queries.ts';

/** Writes the messages of a sending by portions. Killed in between, it goes on where it was. */
export const freezeAudience = defineJob({
  name: 'campaigns.freeze-audience',
  payload: Type.Object({ tenantId: Type.String(), jobId: Type.String() }),
  timeoutSeconds: 6 * 3600,
  run: async (platform, { tenantId, jobId }) => {
    while (await freezeNext(platform, tenantId, jobId)) platform.ledgers.wake(ledgerOf(CAMPAIGN_LANE));
    platform.ledgers.wake(ledgerOf(CAMPAIGN_LANE));
  },
});

/** Writes the next portion; false when there is none any more. */
async function freezeNext(platform: Platform, tenantId: string, jobId: string): Promise<boolean> {
  return platform.scoped(wholeTenant(tenantId)).transaction(async (db) => {
    const job = await lockFreezing(db, jobId);
    if (job === null) return false;
    const now = platform.clock();
    const email = await findRecord(db, emails, job.marketing_email_id);
    const portion = await freezePortion(db, {
      job,
      groups: job.groups,
      after: job.frozen_to,
      subscriptionTypeId: email?.subscription_type_id ?? null,
      now,
    });
    const recipients = job.recipients + portion.written;
    await noteFrozen(db, jobId, portion.last ?? job.frozen_to, recipients);
    if (portion.looked_at === PORTION) return true;
    await endWriting(db, jobId, recipients, now);
    await replaceRecord(platformWriter(db, now), sendingJobs, jobId, { status: 'sending' });
    return false;
  });
}
