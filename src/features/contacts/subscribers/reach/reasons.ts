/** The reasons why a subscriber gets no mail, each with what may change it. */
import type { FoundSuppression } from '../../../email-settings/api.ts';
import type { SubscriberRow } from '../resource.ts';
import { UNCONFIRMED } from '../sign-up/sign-up.ts';
import type { ReachReason } from './schema.ts';

const NO_DETAILS = { suppression_type: null, detail: null, since: null, by: null };

const SUPPRESSION_MESSAGES: Readonly<Record<FoundSuppression['type'], string>> = {
  bounce: 'Mail to the address has bounced. Delete the suppression when the mailbox works again.',
  complaint: 'The recipient has reported mail as spam. Delete the suppression only if they ask for mail.',
  unsubscribe: 'The recipient has unsubscribed. Delete the suppression only if they ask for mail.',
};

/** The reason of an inactive subscriber. */
export function inactiveReason({ inactive_reason }: Pick<SubscriberRow, 'inactive_reason'>): ReachReason {
  if (inactive_reason === UNCONFIRMED)
    return {
      ...NO_DETAILS,
      code: 'unconfirmed',
      message:
        'The subscriber has not confirmed the address yet. Only they can, by the link in their confirmation mail.',
      action: null,
    };
  return {
    ...NO_DETAILS,
    code: 'inactive',
    message: 'The subscriber is inactive. Activate them only if they agree to marketing mail.',
    detail: inactive_reason,
    action: 'activate',
  };
}

/** The reason of an unsubscribe from a type: when it was, and the kind of its author, if known. */
export function unsubscribedReason(since: string | null, by: string | null): ReachReason {
  return {
    ...NO_DETAILS,
    code: 'unsubscribed',
    message: 'The subscriber has unsubscribed from this type. Subscribe them only if they ask for it.',
    since,
    by,
    action: 'subscribe',
  };
}

/** The reason of a suppression; `showsDetail` adds its description. */
export function suppressedReason(
  { type, description, created_at: since }: FoundSuppression,
  showsDetail: boolean,
): ReachReason {
  return {
    ...NO_DETAILS,
    code: 'suppressed',
    message: SUPPRESSION_MESSAGES[type],
    suppression_type: type,
    detail: showsDetail ? description || null : null,
    since,
    action: 'delete_suppression',
  };
}

/** The reason of an address that sandbox mode does not send to. */
export const SANDBOX_REASON: ReachReason = {
  ...NO_DETAILS,
  code: 'sandbox',
  message: 'Sandbox mode sends only to allowed recipients. Allow this one, or turn the mode off.',
  action: 'allow_recipient',
};
