/** The pages of `PUBLIC_URL/confirm/{token}`, on which somebody confirms a subscription. */
import type { Brand } from '../../../http/brand.ts';
import { type Html, html } from '../../../http/html.ts';
import { messagePage } from '../../../http/page.ts';
import { fill, fillHtml, type RecipientLanguage } from '../../../http/recipient-texts/recipient-language.ts';
import { maskedAddress } from '../../../mail/address.ts';
import { badLinkPageOf } from '../../email-tracking/index.ts';

/** Whom a link is about, and how things stand. */
export interface ConfirmationSubject {
  readonly address: string;
  /** Who sends to it. */
  readonly senderName: string;
  readonly isConfirmed: boolean;
  /** The tenant's brand, and its locale. */
  readonly brand: Brand;
  readonly locale: string | undefined;
}

/** Asks; only its button changes anything. */
export function askToConfirmPage(subject: ConfirmationSubject, language: RecipientLanguage): Html {
  const { texts } = language;
  const { brand, senderName: sender } = subject;
  return messagePage(
    fill(texts.confirmTitle, { sender }),
    html`<h1>${texts.confirmAsk}</h1>
<p>${told(subject, texts.willGet)}</p>
<form method="post"><button>${texts.confirm}</button></form>
<p class="more">${texts.confirmIgnore}</p>`,
    { language, brand },
  );
}

/** Says that it is confirmed, also to whoever comes back to the link later. */
export function confirmedPage(subject: ConfirmationSubject, language: RecipientLanguage): Html {
  const { texts } = language;
  const { brand, senderName: sender } = subject;
  return messagePage(
    fill(texts.confirmedTitle, { sender }),
    html`<h1>${texts.confirmed}</h1>
<p>${told(subject, texts.confirmedText)}</p>`,
    { language, brand },
  );
}

/** For a link that was altered or cut off, that is over, or whose subscriber is gone. */
export function badConfirmationLinkPage(language: RecipientLanguage): Html {
  return badLinkPageOf(language, language.texts.badConfirmLink);
}

function told({ address, senderName }: ConfirmationSubject, text: string): Html {
  return fillHtml(text, {
    address: html`<strong>${maskedAddress(address)}</strong>`,
    sender: html`<strong>${senderName}</strong>`,
  });
}
