/** The freezing of an audience: the messages of a sending are written by portions, while the first of them leave. */
import { setTimeout as pause } from 'node:timers/promises';
import Type from 'typebox';
import { defineJob } from '../../../jobs/jobs.ts';
import type { Platform } from '../../../platform.ts';
import { findRecord, replaceRecord } from '../../../resources/records.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { areMembersCurrent } from '../../subscriber-groups/index.ts';
import { CAMPAIGN_LANE, endWriting, ledgerOf } from '../../transmissions/index.ts';
import { emails, sendingJobs } from '../emails/resource.ts';
import { endWhenSent } from './ending.ts';
import { platformWriter } from './platform-writer.ts';
import { findFreezing, freezePortion, lockFreezing, noteFrozen, PORTION } from './queries.ts';

/** How long computed audiences are waited for at once, and how often it is looked, milliseconds. */
const LONGEST_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 200;

/** Writes the messages of a sending by portions. Killed in between, it goes on where it was. */
export const freezeAudience = defineJob({
  name: 'campaigns.freeze-audience',
  payload: Type.Object({ tenantId: Type.String(), jobId: Type.String() }),
  timeoutSeconds: 6 * 3600,
  run: async (platform, { tenantId, jobId }) => {
    await untilAudiencesAreCurrent(platform, tenantId, jobId);
    while (await freezeNext(platform, tenantId, jobId)) {
      platform.ledgers.wake(ledgerOf(CAMPAIGN_LANE));
      // Another process goes on where this one was.
      if (platform.drain.started) throw new Error('The process stops.');
    }
    platform.ledgers.wake(ledgerOf(CAMPAIGN_LANE));
    await endIfToNobody(platform, tenantId, jobId);
  },
});

/** One that goes to nobody has been sent now. */
async function endIfToNobody(platform: Platform, tenantId: string, jobId: string): Promise<void> {
  const db = platform.scoped(wholeTenant(tenantId));
  const job = await findRecord(db, sendingJobs, jobId);
  if (job?.recipients === 0) await endWhenSent(platform, db, job.marketing_email_id, jobId);
}

/** Who belongs to a computed audience by what they were when sending began must be in it before anybody is looked at. */
async function untilAudiencesAreCurrent(platform: Platform, tenantId: string, jobId: string): Promise<void> {
  const db = platform.scoped(wholeTenant(tenantId));
  const endAt = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const job = await findFreezing(db, jobId);
    if (job === null || (await areMembersCurrent(db, job.groups, new Date(job.created_at)))) return;
    // The job is tried again.
    if (performance.now() > endAt || platform.drain.started)
      throw new Error('An audience of the e-mail is still being computed.');
    await pause(LOOK_EVERY_MS);
  }
}

/** Writes the next portion; false when there is none any more. */
async function freezeNext(platform: Platform, tenantId: string, jobId: string): Promise<boolean> {
  return platform.scoped(wholeTenant(tenantId)).transaction(async (db) => {
    const job = await lockFreezing(db, jobId);
    if (job === null) return false;
    const now = platform.clock();
    const email = await findRecord(db, emails, job.marketing_email_id);
    // It cannot be deleted while it is being sent; what is not there is not sent.
    if (email === null) return false;
    const portion = await freezePortion(db, {
      job,
      begunAt: job.created_at,
      groups: job.groups,
      after: job.frozen_to,
      subscriptionTypeId: email.subscription_type_id,
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
