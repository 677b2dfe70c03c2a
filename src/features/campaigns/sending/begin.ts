/** The beginning of a sending: content is frozen, and the job that freezes the audience is enqueued with it. */
import type { Platform } from '../../../platform.ts';
import { createRecord, replaceRecord } from '../../../resources/records.ts';
import type { Writer } from '../../../resources/statements.ts';
import { beginSending } from '../../transmissions/index.ts';
import type { FrozenContent } from '../emails/content.ts';
import { type EmailRow, emails, sendingJobs } from '../emails/resource.ts';
import type { CampaignRow } from '../resource.ts';
import { freezeAudience } from './freezing.ts';

/** An e-mail that is to go out now. */
export interface Departure {
  readonly campaign: CampaignRow;
  readonly email: EmailRow;
  /** Null for one that goes to nobody. */
  readonly frozen: FrozenContent | null;
}

/** Has an e-mail that is locked go out. */
export async function depart(
  writer: Writer,
  platform: Platform,
  { campaign, email, frozen }: Departure,
): Promise<EmailRow> {
  const { id, owner_bu_id: ownerId, job_id: jobId } = email;
  const groups = groupsOf(email);
  const job = {
    ...{ marketing_email_id: id, status: 'freezing' as const },
    ...{ recipients: 0, groups, frozen_to: null, ended_to: 0 },
  };
  await createRecord(writer, sendingJobs, job, { key: jobId, ownerId });
  // One to nobody has no content that anybody could see.
  if (groups.length > 0 && frozen !== null)
    await beginSending(writer.db, { ...sendingOf(campaign, email, frozen), id: jobId }, writer.now);
  await platform.jobs.enqueue(writer.db, freezeAudience, { tenantId: writer.db.tenantId, jobId });
  return replaceRecord(writer, emails, id, { status: 'Sending', sent_date: writer.now });
}

/** The lists and audiences that an e-mail goes to. */
export function groupsOf({ list_ids, audience_ids }: Pick<EmailRow, 'list_ids' | 'audience_ids'>): string[] {
  return [...new Set([...list_ids, ...audience_ids])];
}

/** What a sending is made of, beside its id. */
export function sendingOf(campaign: CampaignRow, email: EmailRow, frozen: FrozenContent) {
  const { code, name, goal, audience, start_date, end_date } = campaign;
  return {
    ...frozen,
    ownerBuId: email.owner_bu_id,
    campaignId: campaign.id,
    description: `${email.name} of ${code}`,
    campaign: { code, emailId: email.id, subscriptionTypeId: email.subscription_type_id },
    data: { campaign: { code, name, goal: goal ?? '', audience, start_date, end_date: end_date ?? '' } },
  };
}
