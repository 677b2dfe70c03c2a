/** What the sender is told of people whom campaigns address, at the moment at which their messages are made. */
import { normalizeAddress } from '../../../mail/address.ts';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { PREVIEW_MESSAGE_ID } from '../../email-tracking/index.ts';
import { preferencesUrl } from '../../subscribers/index.ts';
import { type Audience, isSendingCancelled, type Told, type Viewer } from '../../transmissions/index.ts';
import { viewUrl } from '../preview/view-token.ts';
import { findPeople, type Person, personData, SAMPLE_PERSON } from './people.ts';

/** Whoever left, was made inactive or is gone since the audience was frozen gets nothing. */
export const campaignAudience: Audience = {
  tell: async (platform, db, { id, created_at, campaign }, messages, viewer) => {
    const { subscriptionTypeId } = campaign;
    const isCancelled = await isSendingCancelled(db, id);
    const ids = messages.flatMap(({ subscriber_id }) => subscriber_id ?? []);
    const people =
      ids.length === 0 ? new Map<string, Person>() : await findPeople(db, ids, subscriptionTypeId);
    const told = new Map<string, Told>();
    const facts = { ...campaign, sentAt: new Date(created_at) };
    for (const { id: messageId, subscriber_id: personId, recipient } of messages) {
      // The message of a test has its data itself.
      if (personId === null) continue;
      const person = people.get(personId);
      const each =
        person === undefined
          ? { keptBackBy: 'erased' }
          : tellOf(person, recipient, dataFor(viewer, platform, db, { person, messageId, recipient, facts }));
      told.set(messageId, { ...each, isCancelled });
    }
    return told;
  },
};

/** Facts about a sending that its links carry. */
export interface LinkFacts {
  readonly emailId: string;
  readonly subscriptionTypeId: string | null;
  readonly sentAt: Date;
}

/** A message to a subscriber. */
interface Addressed {
  readonly person: Person;
  readonly messageId: string;
  /** The address that it goes to, in its normal form. */
  readonly recipient: string;
  readonly facts: LinkFacts;
}

function tellOf(person: Person, recipient: string, data: object): Told {
  const told = { data, hasNewAddress: normalizeAddress(person.email) !== recipient };
  if (!person.active) return { ...told, keptBackBy: 'inactive' };
  return person.has_left ? { ...told, keptBackBy: 'unsubscribed' } : told;
}

/** Data of one recipient for templates, in addition to the data that all recipients share. */
function dataFor(
  viewer: Viewer,
  platform: Platform,
  { tenantId }: ScopedDb,
  { person, messageId, recipient, facts }: Addressed,
): object {
  if (viewer === 'preview') return previewData(platform, { tenantId }, person, facts);
  return {
    subscriber: personData(person),
    // The links act for the address of the message, even if the subscriber has another one now.
    ...linksOf(platform, { tenantId, subscriberId: person.id, addressKey: recipient, messageId }, facts),
  };
}

/**
 * Data of a subscriber for mail that is shown to somebody else: simulations, previews, tests and trial renderings. Its
 * links act for nobody, so whoever looks at it cannot choose for the subscriber. Live links are made only in this file,
 * for the message that its recipient gets.
 */
export function previewData(
  platform: Platform,
  { tenantId }: Pick<ScopedDb, 'tenantId'>,
  person: Person,
  facts: LinkFacts,
): object {
  const { id: subscriberId, email: addressKey } = SAMPLE_PERSON;
  const nobody = { tenantId, subscriberId, addressKey, messageId: PREVIEW_MESSAGE_ID };
  return { subscriber: personData(person), ...linksOf(platform, nobody, facts) };
}

function linksOf(
  platform: Platform,
  { messageId, ...subject }: Record<'tenantId' | 'subscriberId' | 'addressKey' | 'messageId', string>,
  { emailId, subscriptionTypeId, sentAt }: LinkFacts,
): object {
  return {
    preferences_url: preferencesUrl(platform, {
      ...subject,
      marketingEmailId: emailId,
      subscriptionTypeId,
      now: sentAt,
    }),
    view_in_browser_url: viewUrl(platform, { tenantId: subject.tenantId, messageId }),
  };
}
