/** What the sender is told of people whom campaigns address, at the moment at which their messages are made. */
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { preferencesUrl } from '../../subscribers/index.ts';
import { type Audience, isSendingCancelled, type Told } from '../../transmissions/index.ts';
import { viewUrl } from '../preview/view-token.ts';
import { findPeople, type Person, personData } from './people.ts';

/** Whoever left, was made inactive or is gone since the audience was frozen gets nothing. */
export const campaignAudience: Audience = {
  tell: async (platform, db, { id, created_at, campaign }, messages) => {
    const { subscriptionTypeId } = campaign;
    const isCancelled = await isSendingCancelled(db, id);
    const ids = messages.flatMap(({ subscriber_id }) => subscriber_id ?? []);
    const people =
      ids.length === 0 ? new Map<string, Person>() : await findPeople(db, ids, subscriptionTypeId);
    const told = new Map<string, Told>();
    for (const { id: messageId, subscriber_id: personId } of messages) {
      // A trial brings its data itself.
      if (personId === null) continue;
      const person = people.get(personId);
      const links = { ...campaign, messageId, personId, sentAt: new Date(created_at) };
      const each = person === undefined ? { keptBackBy: 'erased' } : tellOf(platform, db, person, links);
      told.set(messageId, { ...each, isCancelled });
    }
    return told;
  },
};

/** What links of a message are made of. */
export interface LinkFacts {
  readonly messageId: string;
  readonly personId: string;
  readonly emailId: string;
  readonly subscriptionTypeId: string | null;
  readonly sentAt: Date;
}

function tellOf(platform: Platform, db: ScopedDb, person: Person, links: LinkFacts): Told {
  const data = recipientData(platform, db, person, links);
  if (!person.active) return { data, keptBackBy: 'inactive' };
  return person.has_left ? { data, keptBackBy: 'unsubscribed' } : { data };
}

/** What templates see of one recipient, beside what all see. */
export function recipientData(
  platform: Platform,
  { tenantId }: ScopedDb,
  person: Person,
  links: LinkFacts,
): object {
  const { messageId, personId, emailId, subscriptionTypeId, sentAt } = links;
  return {
    subscriber: personData(person),
    preferences_url: preferencesUrl(platform, {
      tenantId,
      subscriberId: personId,
      marketingEmailId: emailId,
      subscriptionTypeId,
      now: sentAt,
    }),
    view_in_browser_url: viewUrl(platform, { tenantId, messageId }),
  };
}
