/** Pages of `PUBLIC_URL/u/{token}`. */
import type { Brand } from '../../../http/brand.ts';
import { type Html, html } from '../../../http/html.ts';
import { type CardStyle, messagePage } from '../../../http/page.ts';
import type { RecipientTexts } from '../../../http/recipient-texts/en.ts';
import { fill, fillHtml, type RecipientLanguage } from '../../../http/recipient-texts/recipient-language.ts';
import { maskedAddress } from '../../../mail/address.ts';

/** Recipient and sender of a message, and the recipient's unsubscribe status. */
export interface UnsubscribeSubject {
  readonly brand: Brand;
  /** Locale of the tenant. */
  readonly locale: string | undefined;
  readonly senderName: string;
  /** Null for a message without a sender address. */
  readonly senderAddress: string | null;
  /** The recipient's address. */
  readonly address: string;
  /** True if the recipient is unsubscribed, through this message or another. */
  readonly isUnsubscribed: boolean;
  /** True if the recipient can resubscribe: not after a bounce or a complaint. */
  readonly canResubscribe: boolean;
}

/** Language and brand of a page. If the message was deleted, those of its tenant. */
export interface PageStyle extends CardStyle {
  readonly language: RecipientLanguage;
}

/** Page that asks for confirmation; only its button unsubscribes. */
export function unsubscribePage(subject: UnsubscribeSubject | null, style: PageStyle): Html {
  const { texts } = style.language;
  return messagePage(
    titleOf(texts.unsubscribeTitle, texts.unsubscribe, subject),
    html`<h1>${texts.unsubscribeAsk}</h1>
<p>${recipientText(subject, texts.willNoLongerGet, texts.addressWillNoLongerGet)}</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${texts.unsubscribe}</button></form>`,
    style,
  );
}

/** Page that confirms the unsubscribe, also on later visits. It offers to resubscribe if that is possible. */
export function unsubscribedPage(subject: UnsubscribeSubject | null, token: string, style: PageStyle): Html {
  const { texts } = style.language;
  return messagePage(
    texts.unsubscribed,
    html`<h1>${texts.unsubscribed}</h1>
<p>${recipientText(subject, texts.noLongerGets, texts.addressNoLongerGets)}</p>
${subject?.canResubscribe ? resubscribeForm(token, texts) : null}`,
    style,
  );
}

/** Page that confirms the resubscription, or shows that the recipient is still unsubscribed. */
export function resubscribedPage(subject: UnsubscribeSubject | null, token: string, style: PageStyle): Html {
  if (subject === null || subject.isUnsubscribed) return unsubscribedPage(subject, token, style);
  const { texts } = style.language;
  return messagePage(
    fill(texts.confirmedTitle, { sender: subject.senderName }),
    html`<h1>${texts.subscribedAgain}</h1>
<p>${recipientText(subject, texts.getsAgain, '')}</p>
<p class="more"><a href="../${token}">${texts.unsubscribe}</a></p>`,
    style,
  );
}

/** Form with an action relative to `/u/{token}`, which works under any mount path. */
function resubscribeForm(token: string, { mistake, subscribeAgain }: RecipientTexts): Html {
  return html`<form method="post" action="${token}/resubscribe">
<p class="more">${mistake}</p>
<button class="quiet">${subscribeAgain}</button>
</form>`;
}

function titleOf(withSender: string, without: string, subject: UnsubscribeSubject | null): string {
  return subject === null ? without : fill(withSender, { sender: subject.senderName });
}

function recipientText(subject: UnsubscribeSubject | null, text: string, fallback: string): Html {
  if (subject === null) return html`${fallback}`;
  const { address, senderName, senderAddress } = subject;
  const shown = senderAddress === null ? null : html` (${senderAddress})`;
  return fillHtml(text, {
    address: html`<strong>${maskedAddress(address)}</strong>`,
    sender: html`<strong>${senderName}</strong>${shown}`,
  });
}
