/** The pages of `PUBLIC_URL/u/{token}`. */
import { type Html, html } from '../../http/html.ts';
import { messagePage } from '../../http/page.ts';

/** What the page tells whom it is about. */
export interface UnsubscribeSubject {
  /** Who sends. */
  readonly sender: string;
  /** The recipient's address. */
  readonly address: string;
}

/** For all pages here: no script, nothing from elsewhere, forms only to ourselves, no frame. */
export const UNSUBSCRIBE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

/** Asks; only its button changes anything. */
export function askPage(subject: UnsubscribeSubject | null): Html {
  return messagePage(
    'Unsubscribe',
    html`<h1>Unsubscribe?</h1>
<p>${ofWhom(subject, 'will no longer get')}</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>`,
  );
}

/** Confirms. */
export function donePage(subject: UnsubscribeSubject | null): Html {
  return messagePage(
    'Unsubscribed',
    html`<h1>You are unsubscribed</h1>
<p>${ofWhom(subject, 'no longer gets')}</p>`,
  );
}

/** For a link that was altered or cut off. */
export function badLinkPage(): Html {
  return messagePage(
    'Link not valid',
    html`<h1>This link is not valid</h1>
<p>It may have been cut off on its way. Please use the link in the message itself, or answer the message.</p>`,
  );
}

function ofWhom(subject: UnsubscribeSubject | null, verb: string): Html {
  if (subject === null) return html`This address ${verb} these messages.`;
  const { address, sender } = subject;
  return html`<strong>${masked(address)}</strong> ${verb} messages of this kind from <strong>${sender}</strong>.`;
}

/** Mail is forwarded: whoever gets the link does not learn the whole address. */
function masked(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address;
  return at < 1 ? '•••' : `${first}•••${address.slice(at)}`;
}
