/** Pages of `PUBLIC_URL/confirm/{token}`, which confirm a subscription. */
import type { Brand } from '../../../../http/brand.ts';
import { type Html, html } from '../../../../http/html.ts';
import { messagePage } from '../../../../http/page.ts';
import {
  fill,
  fillHtml,
  type RecipientLanguage,
} from '../../../../http/recipient-texts/recipient-language.ts';
import { maskedAddress } from '../../../../mail/address.ts';

/** The subscriber of a link, with the state of the confirmation. */
export interface ConfirmationSubject {
  readonly address: string;
  /** Name of the tenant's sender. */
  readonly senderName: string;
  readonly isConfirmed: boolean;
  /** The tenant's brand, and its locale. */
  readonly brand: Brand;
  readonly locale: string | undefined;
}

/** Page with the button that confirms. */
export function confirmationPage(subject: ConfirmationSubject, language: RecipientLanguage): Html {
  const { texts } = language;
  const { brand, senderName: sender } = subject;
  return messagePage(
    fill(texts.confirmTitle, { sender }),
    html`<h1>${texts.confirmAsk}</h1>
<p>${describe(subject, texts.willGet)}</p>
<form method="post"><button>${texts.confirm}</button></form>
<p class="more">${texts.confirmIgnore}</p>`,
    { language, brand },
  );
}

/** Page after the confirmation, also for later visits. */
export function confirmedPage(subject: ConfirmationSubject, language: RecipientLanguage): Html {
  const { texts } = language;
  const { brand, senderName: sender } = subject;
  return messagePage(
    fill(texts.confirmedTitle, { sender }),
    html`<h1>${texts.confirmed}</h1>
<p>${describe(subject, texts.confirmedText)}</p>`,
    { language, brand },
  );
}

function describe({ address, senderName }: ConfirmationSubject, text: string): Html {
  return fillHtml(text, {
    address: html`<strong>${maskedAddress(address)}</strong>`,
    sender: html`<strong>${senderName}</strong>`,
  });
}
