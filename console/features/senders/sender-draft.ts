import type { schemas } from '../../../sdk/src/index.ts';
import type { Collection } from '../../email-settings/entries.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** Kind of a sender among drafts. */
const SENDER = 'sender_identity';

/** The draft of a new sender. */
export const NEW_SENDER = { type: SENDER, itemKey: null };

/** The senders among the email settings. */
export const SENDERS: Collection<schemas.SenderIdentity> = {
  draftType: SENDER,
  empty: { from_name: '', from_email_address: '', reply_to: '', nickname: '' },
  fields: () => ({
    from_name: { label: translate('name') },
    from_email_address: { label: translate('address') },
    reply_to: { label: translate('reply') },
  }),
  keyOf: ({ from_email_address }) => from_email_address,
  entriesOf: ({ sender_identities }) => sender_identities,
  entryOf: ({ version: _, ...sender }) => sender,
  bodyOf: (sender_identities) => ({ sender_identities }),
  entriesIn: ({ sender_identities }) => sender_identities,
};
