/** Recipient data of campaigns, read when messages are rendered. */

import { normalizeAddress } from '../../../../mail/address.ts';
import { PREVIEW_MESSAGE_ID } from '../../../../mail/message-token.ts';
import type { Platform } from '../../../../platform.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { preferencesUrl } from '../../../contacts/api.ts';
import { campaignRecipients, type RecipientData, unsubscribeLinks } from '../../../mail/api.ts';
import { viewUrl } from '../preview/view-token.ts';
import {
  findMailSubscribers,
  type MailSubscriber,
  SAMPLE_SUBSCRIBER,
  subscriberTemplateData,
} from './mail-subscribers.ts';

/**
 * Resolves the template data of campaign messages. Suppresses those to subscribers who unsubscribed, became inactive or
 * were erased since the audience snapshot.
 */
export const campaignRecipientResolver = campaignRecipients.with({
  resolve: async (platform, db, { created_at, campaign }, messages, viewer) => {
    const ids = messages.flatMap(({ subscriber_id }) => subscriber_id ?? []);
    const subscribers =
      ids.length === 0
        ? new Map<string, MailSubscriber>()
        : await findMailSubscribers(db, ids, campaign.subscriptionTypeId);
    const linkInfo = { ...campaign, sentAt: new Date(created_at) };
    // Test messages have no subscriber; their data is stored with them.
    const subscriberMessages = messages.filter(({ subscriber_id }) => subscriber_id !== null);
    return new Map<string, RecipientData>(
      subscriberMessages.map(({ id: messageId, subscriber_id, recipient }) => {
        const subscriber = subscribers.get(subscriber_id ?? '');
        if (subscriber === undefined) return [messageId, { suppressedBy: 'erased' }];
        const message = { subscriber, messageId, recipient, linkInfo };
        const data =
          viewer === 'preview'
            ? previewData(platform, db, subscriber, linkInfo)
            : recipientData(platform, db, message);
        return [messageId, { data, ...recipientDecision(message) }];
      }),
    );
  },
});

/** Data of a sending that its links contain. */
export interface LinkInfo {
  readonly emailId: string;
  readonly subscriptionTypeId: string | null;
  readonly sentAt: Date;
}

/** A message to a subscriber. */
interface SubscriberMessage {
  readonly subscriber: MailSubscriber;
  readonly messageId: string;
  /** Normalized address of the message. */
  readonly recipient: string;
  readonly linkInfo: LinkInfo;
}

/** Returns whether the subscriber has another address than the message, and the rule that suppresses the message. */
function recipientDecision({ subscriber, recipient }: SubscriberMessage) {
  const decision = { hasNewAddress: normalizeAddress(subscriber.email) !== recipient };
  if (!subscriber.active) return { ...decision, suppressedBy: 'inactive' };
  return subscriber.is_unsubscribed ? { ...decision, suppressedBy: 'unsubscribed' } : decision;
}

/** Data of one recipient for templates, in addition to the data that all recipients share. */
function recipientData(
  platform: Platform,
  { tenantId }: ScopedDb,
  { subscriber, messageId, recipient, linkInfo }: SubscriberMessage,
): object {
  return {
    subscriber: subscriberTemplateData(subscriber),
    // The links apply to the address of the message, even if the subscriber has another one now.
    ...linksOf(
      platform,
      { tenantId, subscriberId: subscriber.id, addressKey: recipient, messageId },
      linkInfo,
    ),
  };
}

/**
 * Data of a subscriber for mail that other people see: simulations, previews, tests and dry runs. Its links have no
 * effect, so that viewers cannot change the subscriber's preferences. Only this file creates working links, for real
 * messages.
 */
export function previewData(
  platform: Platform,
  { tenantId }: Pick<ScopedDb, 'tenantId'>,
  subscriber: MailSubscriber,
  linkInfo: LinkInfo,
): object {
  const { id: subscriberId, email: addressKey } = SAMPLE_SUBSCRIBER;
  const sample = { tenantId, subscriberId, addressKey, messageId: PREVIEW_MESSAGE_ID };
  return { subscriber: subscriberTemplateData(subscriber), ...linksOf(platform, sample, linkInfo) };
}

/**
 * Template data of a message to a subscriber that is rendered but not sent. Its links have no effect. Transactional
 * mail has no unsubscribe link.
 */
export function dryRunData(
  platform: Platform,
  { tenantId }: Pick<ScopedDb, 'tenantId'>,
  subscriber: MailSubscriber,
  { isTransactional = false, ...linkInfo }: LinkInfo & { readonly isTransactional?: boolean },
): Record<string, unknown> {
  const { first_name: firstName, last_name: lastName, email } = subscriber;
  return {
    ...previewData(platform, { tenantId }, subscriber, linkInfo),
    address: { name: [firstName, lastName].filter(Boolean).join(' '), email },
    ...(isTransactional
      ? {}
      : { unsubscribe_url: unsubscribeLinks(platform, tenantId, PREVIEW_MESSAGE_ID).url }),
  };
}

function linksOf(
  platform: Platform,
  { messageId, ...recipient }: Record<'tenantId' | 'subscriberId' | 'addressKey' | 'messageId', string>,
  { emailId, subscriptionTypeId, sentAt }: LinkInfo,
): object {
  return {
    preferences_url: preferencesUrl(platform, {
      ...recipient,
      marketingEmailId: emailId,
      subscriptionTypeId,
      now: sentAt,
    }),
    view_in_browser_url: viewUrl(platform, { tenantId: recipient.tenantId, messageId }),
  };
}
