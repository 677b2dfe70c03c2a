/** The pages of `PUBLIC_URL/confirm/{token}`, on which somebody confirms a subscription. */
import { type Html, html } from '../../../http/html.ts';
import { messagePage } from '../../../http/page.ts';
import { maskedAddress } from '../../../mail/address.ts';

/** Whom a link is about, and how things stand. */
export interface ConfirmationSubject {
  readonly address: string;
  /** Who sends to it. */
  readonly senderName: string;
  readonly isConfirmed: boolean;
}

/** Asks; only its button changes anything. */
export function askToConfirmPage({ address, senderName }: ConfirmationSubject): Html {
  return messagePage(
    `Confirm your subscription to ${senderName}`,
    html`<h1>Confirm your subscription?</h1>
<p><strong>${maskedAddress(address)}</strong> will get messages from <strong>${senderName}</strong>.</p>
<form method="post"><button>Confirm</button></form>
<p class="more">If you did not ask for this, close this page: you will get nothing.</p>`,
  );
}

/** Says that it is confirmed, also to whoever comes back to the link later. */
export function confirmedPage({ address, senderName }: ConfirmationSubject): Html {
  return messagePage(
    `Subscribed to ${senderName}`,
    html`<h1>Your subscription is confirmed</h1>
<p><strong>${maskedAddress(address)}</strong> gets messages from <strong>${senderName}</strong>. Each of them has a link to
unsubscribe.</p>`,
  );
}

/** For a link that was altered or cut off, that is over, or whose subscriber is gone. */
export function badConfirmationLinkPage(): Html {
  return messagePage(
    'Link not valid',
    html`<h1>This link is not valid</h1>
<p>It may have been cut off on its way, or it is older than seven days. Please fill in the form again to get a new one.</p>`,
  );
}
