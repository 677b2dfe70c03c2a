/** Start of a sending: stores the content snapshot and enqueues the job that takes the audience snapshot. */
import type { Platform } from '../../../../platform.ts';
import { createRecord, replaceRecord } from '../../../../resources/records.ts';
import type { Writer } from '../../../../resources/statements.ts';
import { sendings } from '../../../mail/api.ts';
import type { ContentSnapshot } from '../emails/content.ts';
import { type EmailRow, emails, sendingJobs } from '../emails/resource.ts';
import type { CampaignRow } from '../resource.ts';
import { snapshotAudience } from './audience-snapshot.ts';

/** An email to send now. */
export interface SendRequest {
  readonly campaign: CampaignRow;
  readonly email: EmailRow;
  /** Null if the email has no audience. */
  readonly snapshot: ContentSnapshot | null;
}

/** Starts sending a locked email. */
export async function startSending(
  writer: Writer,
  platform: Platform,
  { campaign, email, snapshot }: SendRequest,
): Promise<EmailRow> {
  const { id, owner_bu_id: ownerId, job_id: jobId } = email;
  const groups = groupsOf(email);
  const job = {
    marketing_email_id: id,
    status: 'freezing' as const,
    recipients: 0,
    groups,
    frozen_to: null,
    ended_to: 0,
  };
  await createRecord(writer, sendingJobs, job, { key: jobId, ownerId });
  // Without an audience there is no content to store.
  if (groups.length > 0 && snapshot !== null)
    await sendings.beginSending(
      writer.db,
      { ...sendingOf(campaign, email, snapshot), id: jobId },
      writer.now,
    );
  await platform.jobs.enqueue(writer.db, snapshotAudience, { tenantId: writer.db.tenantId, jobId });
  return replaceRecord(writer, emails, id, { status: 'Sending', sent_date: writer.now });
}

/** Ids of the lists and audiences of an email. */
export function groupsOf({ list_ids, audience_ids }: Pick<EmailRow, 'list_ids' | 'audience_ids'>): string[] {
  return [...new Set([...list_ids, ...audience_ids])];
}

/** Builds the transmission of an email, without its id. */
export function sendingOf(campaign: CampaignRow, email: EmailRow, snapshot: ContentSnapshot) {
  const { code, name, goal, audience, start_date, end_date } = campaign;
  return {
    ...snapshot,
    ownerBuId: email.owner_bu_id,
    campaignId: campaign.id,
    description: `${email.name} of ${code}`,
    campaign: { code, emailId: email.id, subscriptionTypeId: email.subscription_type_id },
    data: { campaign: { code, name, goal: goal ?? '', audience, start_date, end_date: end_date ?? '' } },
  };
}
