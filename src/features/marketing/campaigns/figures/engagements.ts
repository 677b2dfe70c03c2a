/** Engagement records: one for each message of an email (docs/specification/campaigns.md#engagement). */

import type { MemberContext } from '../../../../http/context.ts';
import type { JsonText } from '../../../../http/json-text.ts';
import { isUuid } from '../../../../resources/keys.ts';
import { type ListQuery, readListBody, toPageReply } from '../../../../resources/list-queries.ts';
import { totalIn } from '../../../../resources/lists.ts';
import type { PageReply } from '../../../../resources/paging.ts';
import { getRecord } from '../../../../resources/records.ts';
import { getSubscriber } from '../../../contacts/api.ts';
import { getEmailSettings } from '../../../email-settings/api.ts';
import { messageEngagement, recipientMessages, sendingFigures } from '../../../mail/api.ts';
import { type Behaviour, behaviourKey, listBehaviour, NO_BEHAVIOUR } from '../../marketing-events/index.ts';
import { campaigns } from '../resource.ts';
import { type EngagementEmail, findEmails, sumRecipients } from './queries.ts';
import {
  CampaignEngagement,
  type CampaignEngagementQuery,
  SubscriberEngagement,
  type SubscriberEngagementQuery,
} from './schema.ts';

type DeliveryStatus = CampaignEngagement['delivery_status'];

const NO_ENGAGEMENT: messageEngagement.MessageEngagement = {
  open_count: 0,
  first_opened_at: null,
  last_opened_at: null,
  click_count: 0,
  unique_click_count: 0,
  last_clicked_at: null,
  links: [],
};

/**
 * Returns one page of a campaign's records, by default newest first.
 * @throws AppError CAMPAIGN_NOT_FOUND; INVALID_REQUEST for an unknown sort or member, or a malformed cursor.
 */
export async function listCampaignEngagements(
  { db }: MemberContext,
  code: string,
  body: CampaignEngagementQuery,
): Promise<PageReply<CampaignEngagement> | JsonText> {
  const { filters = {}, ...request } = readListBody(body);
  await getRecord(db, campaigns, code);
  const { subscriberId, marketingEmailId, hasClickedLinks: hasClicked } = filters;
  const all = await findEmails(db, { campaignCode: code });
  const selected = marketingEmailId === undefined ? all : all.filter(({ id }) => id === marketingEmailId);
  const isInvalidId = subscriberId !== undefined && !isUuid(subscriberId);
  const sendingIds = isInvalidId ? [] : selected.map(({ job_id }) => job_id);
  const { rows, ...counts } =
    subscriberId === undefined || isInvalidId
      ? await listAllMessages(db, sendingIds, hasClicked, request)
      : await recipientMessages.listSubscriberMessages(db, { subscriberId, sendingIds, hasClicked }, request);
  const results = await toRecords(
    rows,
    selected,
    await behaviourOf(db, rows, selected),
    (message, email, { total_purchase_amount: _amount, ...behaviour }): CampaignEngagement => {
      return {
        ...commonFields(message, email),
        delivery_status: statusOf(message),
        email_opened_at: message.opened_at,
        email_clicked_at: message.clicked_at,
        email_unsubscribed_at: message.unsubscribed_at,
        ...withIsoTimes(behaviour),
      };
    },
  );
  return toPageReply({ results, ...counts }, request, Object.keys(CampaignEngagement.properties));
}

/** Returns one page of the messages of sendings. Calculates the total from counters instead of counting rows. */
async function listAllMessages(
  db: MemberContext['db'],
  sendingIds: readonly string[],
  hasClicked: boolean | undefined,
  request: ListQuery,
): Promise<recipientMessages.MessagePage & { total?: number }> {
  const page = await recipientMessages.listRecipientMessages(db, sendingIds, hasClicked, request);
  const total = await totalIn(request, page.rows.length, async () => {
    const counts = [...(await sendingFigures.countSendings(db, sendingIds)).values()];
    const erased = await recipientMessages.countErased(db, sendingIds, hasClicked);
    const clicked = counts.reduce((sum, each) => sum + each.clicked, 0);
    if (hasClicked) return clicked - erased;
    const dropped = counts.reduce((sum, each) => sum + each.dropped, 0);
    const all = (await sumRecipients(db, sendingIds)) - dropped - erased;
    return hasClicked === undefined ? all : all - clicked;
  });
  return { ...page, ...total };
}

/**
 * Returns one page of a subscriber's records, by default newest first.
 * @throws AppError NOT_FOUND; INVALID_REQUEST for an unknown sort or member, or a malformed cursor.
 */
export async function listSubscriberEngagements(
  { db }: MemberContext,
  subscriberId: string,
  body: SubscriberEngagementQuery,
): Promise<PageReply<SubscriberEngagement> | JsonText> {
  const { filters, ...request } = readListBody(body);
  await getSubscriber(db, subscriberId);
  const { campaignCode, marketingEmailId } = filters;
  const allSendingIds = await recipientMessages.listSendingsTo(db, subscriberId);
  // Omits emails of other units and of deleted campaigns.
  const all = await findEmails(db, { jobIds: allSendingIds });
  const selected = all.filter(
    ({ id, campaign_code }) =>
      (campaignCode === undefined || campaign_code === campaignCode) &&
      (marketingEmailId === undefined || id === marketingEmailId),
  );
  const sendingIds = selected.map(({ job_id }) => job_id);
  const { rows, ...counts } = await recipientMessages.listSubscriberMessages(
    db,
    { subscriberId, sendingIds },
    request,
  );
  const engagement = await messageEngagement.listMessageEngagement(
    db,
    rows.map(({ id }) => id),
  );
  const { subscription_types: types } = await getEmailSettings(db);
  const typeNames = new Map(types.map(({ id, name }) => [id, name]));
  const results = await toRecords(
    rows,
    selected,
    await behaviourOf(db, rows, selected),
    (message, email, behaviour) =>
      toSubscriberEngagement(
        message,
        email,
        engagement.get(message.id) ?? NO_ENGAGEMENT,
        behaviour,
        typeNames,
      ),
  );
  return toPageReply({ results, ...counts }, request, Object.keys(SubscriberEngagement.properties));
}

async function behaviourOf(
  db: MemberContext['db'],
  rows: readonly recipientMessages.RecipientMessage[],
  emails: readonly EngagementEmail[],
): Promise<ReadonlyMap<string, Behaviour>> {
  const subscriberIds = rows.flatMap(({ subscriber_id }) => subscriber_id ?? []);
  const emailIds = emails.map(({ id }) => id);
  return subscriberIds.length === 0 ? new Map() : listBehaviour(db, emailIds, subscriberIds);
}

/** Creates the records of messages of these emails. Messages of other emails have none. */
async function toRecords<Engagement>(
  rows: readonly recipientMessages.RecipientMessage[],
  emails: readonly EngagementEmail[],
  behaviour: ReadonlyMap<string, Behaviour>,
  toRecord: (
    message: recipientMessages.RecipientMessage,
    email: EngagementEmail,
    behaviour: Behaviour,
  ) => Engagement,
): Promise<Engagement[]> {
  const byJob = new Map(emails.map((email) => [email.job_id, email]));
  return rows.flatMap((message) => {
    const email = byJob.get(message.transmission_id);
    if (email === undefined) return [];
    const key = behaviourKey(email.id, message.subscriber_id ?? '');
    return [toRecord(message, email, behaviour.get(key) ?? NO_BEHAVIOUR)];
  });
}

function toSubscriberEngagement(
  message: recipientMessages.RecipientMessage,
  email: EngagementEmail,
  { links, ...counts }: messageEngagement.MessageEngagement,
  behaviour: Behaviour,
  typeNames: ReadonlyMap<string, string>,
): SubscriberEngagement {
  const score =
    (message.opened_at === null ? 0 : 10) +
    (message.clicked_at === null ? 0 : 20) +
    2 * behaviour.page_view_count +
    30 * behaviour.purchase_count;
  return {
    ...commonFields(message, email),
    delivery_status: UPPERCASE_STATUS[statusOf(message)],
    first_opened_at: message.opened_at,
    last_opened_at: toIsoTime(counts.last_opened_at),
    open_count: counts.open_count,
    first_clicked_at: message.clicked_at,
    last_clicked_at: toIsoTime(counts.last_clicked_at),
    click_count: counts.click_count,
    unique_click_count: counts.unique_click_count,
    clicked_links: links.map(({ url, count, first_clicked_at, last_clicked_at }) => ({
      url,
      count,
      first_clicked_at: new Date(first_clicked_at).toISOString(),
      last_clicked_at: new Date(last_clicked_at).toISOString(),
    })),
    unsubscribed_at: message.unsubscribed_at,
    ...withIsoTimes(behaviour),
    engagement_score: Math.min(100, score),
    updated_at: latestTime(message, behaviour),
    campaign_metadata: {
      send_date: email.sent_date,
      subscription_type: typeNames.get(email.subscription_type_id ?? '') ?? null,
      subject_line: email.subject,
    },
  };
}

const UPPERCASE_STATUS: Readonly<Record<DeliveryStatus, SubscriberEngagement['delivery_status']>> = {
  pending: 'PENDING',
  suppressed: 'SUPPRESSED',
  failed: 'FAILED',
  delivered: 'DELIVERED',
  bounced: 'BOUNCED',
  complained: 'COMPLAINED',
};

function commonFields(message: recipientMessages.RecipientMessage, email: EngagementEmail) {
  return {
    subscriber_id: message.subscriber_id ?? '',
    campaign_code: email.campaign_code,
    marketing_email_id: email.id,
    // A message that the relay rejected counts as sent.
    email_sent_at: message.sent_at ?? message.bounced_at,
    // An accepted message counts as delivered until it bounces.
    email_delivered_at: message.bounced_at === null ? message.sent_at : null,
  };
}

function statusOf({ status, state, complained_at }: recipientMessages.RecipientMessage): DeliveryStatus {
  if (complained_at !== null) return 'complained';
  if (status === 'queued') return state === 'pending' ? 'pending' : 'failed';
  return status === 'sent' ? 'delivered' : status;
}

function toIsoTime(moment: string | Date | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}

function withIsoTimes<D extends Omit<Behaviour, 'total_purchase_amount'>>(behaviour: D) {
  return {
    ...behaviour,
    first_page_view_at: toIsoTime(behaviour.first_page_view_at),
    last_page_view_at: toIsoTime(behaviour.last_page_view_at),
    first_purchase_at: toIsoTime(behaviour.first_purchase_at),
    last_purchase_at: toIsoTime(behaviour.last_purchase_at),
  };
}

/** Returns the time of the latest event. */
function latestTime(message: recipientMessages.RecipientMessage, behaviour: Behaviour): string {
  const { created_at, ended_at, bounced_at, complained_at, unsubscribed_at, opened_at, clicked_at } = message;
  const times = [created_at, ended_at, bounced_at, complained_at, unsubscribed_at, opened_at, clicked_at];
  const all = [...times, behaviour.last_page_view_at, behaviour.last_purchase_at]
    .map(toIsoTime)
    .filter((time) => time !== null);
  return all.toSorted().at(-1) ?? created_at;
}
