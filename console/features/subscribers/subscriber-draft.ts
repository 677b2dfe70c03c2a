import type { DraftFields } from '../../drafts/draft-fields.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** Kind of a subscriber, among drafts and in history. */
export const SUBSCRIBER = 'marketing_subscriber';

/** The draft of a new subscriber. */
export const NEW_SUBSCRIBER = { type: SUBSCRIBER, itemKey: null };

/** Returns how drafts and history show a subscriber. */
export function subscriberFields(): DraftFields {
  return {
    email: { label: translate('email') },
    first_name: { label: translate('first-name') },
    last_name: { label: translate('last-name') },
    active: { label: translate('active') },
    inactive_reason: { label: translate('reason') },
    lists: { label: translate('lists') },
    audiences: { label: translate('audiences') },
    additional_fields_data: { label: translate('fields') },
    subscription_preferences: { label: translate('preferences') },
  };
}
