import type { schemas } from '../../../sdk/src/index.ts';
import type { DraftFields } from '../../drafts/draft-fields.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** Kind of a sender among drafts. */
export const SENDER = 'sender_identity';

/** The draft of a new sender. */
export const NEW_SENDER = { type: SENDER, itemKey: null };

/** A sender with the version of the settings that it was read from; without one, a new sender. */
export interface SenderDraft extends schemas.SenderIdentity {
  readonly version?: number;
}

/** A sender before anything is entered. */
export const EMPTY_SENDER: SenderDraft = {
  from_name: '',
  from_email_address: '',
  reply_to: '',
  nickname: '',
};

/** Returns how drafts show a sender. */
export function senderFields(): DraftFields {
  return {
    from_name: { label: translate('name') },
    from_email_address: { label: translate('address') },
    reply_to: { label: translate('reply') },
  };
}
