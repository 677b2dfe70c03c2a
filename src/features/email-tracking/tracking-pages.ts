/** The pages that recipients of mail see: those of `PUBLIC_URL/u/{token}`, and that of a link which was altered. */
import { type Html, html } from '../../http/html.ts';
import { messagePage } from '../../http/page.ts';
import { maskedAddress } from '../../mail/address.ts';

/** Whom an unsubscribe link is about, and how things stand. */
export interface UnsubscribeSubject {
  /** Whom the message was from. */
  readonly senderName: string;
  /** Null for a message that tells no sender. */
  readonly senderAddress: string | null;
  /** The recipient's address. */
  readonly address: string;
  /** Whether the recipient unsubscribed, by this message or another, and nothing changed that. */
  readonly isUnsubscribed: boolean;
  /** Whether a click takes that back: it does not when mail came back or was called spam since. */
  readonly canReturn: boolean;
}

/** Asks; only its button changes anything. */
export function askPage(subject: UnsubscribeSubject | null): Html {
  return messagePage(
    subject === null ? 'Unsubscribe' : `Unsubscribe from ${subject.senderName}`,
    html`<h1>Unsubscribe?</h1>
<p>${ofWhom(subject, 'will no longer get')}</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>`,
  );
}

/** Confirms, also to whoever comes back to the link later; offers the way back where there is one. */
export function donePage(subject: UnsubscribeSubject | null, token: string): Html {
  return messagePage(
    subject === null ? 'Unsubscribed' : `Unsubscribed from ${subject.senderName}`,
    html`<h1>You are unsubscribed</h1>
<p>${ofWhom(subject, 'no longer gets')}</p>
${subject?.canReturn ? returnForm(token) : null}`,
  );
}

/** Confirms that an unsubscribe was taken back, or says that nothing was. */
export function welcomeBackPage(subject: UnsubscribeSubject | null, token: string): Html {
  if (subject === null || subject.isUnsubscribed) return donePage(subject, token);
  return messagePage(
    `Subscribed to ${subject.senderName}`,
    html`<h1>You are subscribed again</h1>
<p>${ofWhom(subject, 'gets')}</p>
<p class="more"><a href="../${token}">Unsubscribe</a></p>`,
  );
}

/** For an unsubscribe link that was altered or cut off. */
export function badUnsubscribeLinkPage(): Html {
  return messagePage(
    'Link not valid',
    html`<h1>This link is not valid</h1>
<p>It may have been cut off on its way. Please use the link in the message itself, or answer the message.</p>`,
  );
}

/** For a link of a message that was altered or cut off: where it led is not known. */
export function badLinkPage(): Html {
  return messagePage(
    'Link not valid',
    html`<h1>This link is not valid</h1>
<p>It may have been cut off on its way, so we do not know where it leads. Please use the link in the message itself.</p>`,
  );
}

/** Relative to `/u/{token}`, wherever the service is mounted. */
function returnForm(token: string): Html {
  return html`<form method="post" action="${token}/resubscribe">
<p class="more">Was that a mistake?</p>
<button class="quiet">Subscribe again</button>
</form>`;
}

function ofWhom(subject: UnsubscribeSubject | null, verb: string): Html {
  if (subject === null) return html`This address ${verb} these messages.`;
  const { address, senderName, senderAddress } = subject;
  const shown = senderAddress === null ? null : html` (${senderAddress})`;
  return html`<strong>${maskedAddress(address)}</strong> ${verb} messages of this kind from <strong>${senderName}</strong>${shown}.`;
}
