/** The pages that recipients of mail see: those of `PUBLIC_URL/u/{token}`, and that of a link which was altered. */
import type { Brand } from '../../http/brand.ts';
import { type Html, html } from '../../http/html.ts';
import { type CardLook, messagePage } from '../../http/page.ts';
import type { RecipientTexts } from '../../http/recipient-texts/en.ts';
import { fill, fillHtml, type RecipientLanguage } from '../../http/recipient-texts/recipient-language.ts';
import { maskedAddress } from '../../mail/address.ts';

/** Whom an unsubscribe link is about, and how things stand. */
export interface UnsubscribeSubject {
  /** The tenant's brand, and its locale. */
  readonly brand: Brand;
  readonly locale: string | undefined;
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
export function askPage(subject: UnsubscribeSubject | null, language: RecipientLanguage): Html {
  const { texts } = language;
  return messagePage(
    titleOf(texts.unsubscribeTitle, texts.unsubscribe, subject),
    html`<h1>${texts.unsubscribeAsk}</h1>
<p>${ofWhom(subject, texts.willNoLongerGet, texts.addressWillNoLongerGet)}</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${texts.unsubscribe}</button></form>`,
    lookOf(subject, language),
  );
}

/** Confirms, also to whoever comes back to the link later; offers the way back where there is one. */
export function donePage(
  subject: UnsubscribeSubject | null,
  token: string,
  language: RecipientLanguage,
): Html {
  const { texts } = language;
  return messagePage(
    texts.unsubscribed,
    html`<h1>${texts.unsubscribed}</h1>
<p>${ofWhom(subject, texts.noLongerGets, texts.addressNoLongerGets)}</p>
${subject?.canReturn ? returnForm(token, texts) : null}`,
    lookOf(subject, language),
  );
}

/** Confirms that an unsubscribe was taken back, or says that nothing was. */
export function welcomeBackPage(
  subject: UnsubscribeSubject | null,
  token: string,
  language: RecipientLanguage,
): Html {
  if (subject === null || subject.isUnsubscribed) return donePage(subject, token, language);
  const { texts } = language;
  return messagePage(
    fill(texts.confirmedTitle, { sender: subject.senderName }),
    html`<h1>${texts.subscribedAgain}</h1>
<p>${ofWhom(subject, texts.getsAgain, '')}</p>
<p class="more"><a href="../${token}">${texts.unsubscribe}</a></p>`,
    lookOf(subject, language),
  );
}

/** For an unsubscribe link that was altered or cut off. */
export function badUnsubscribeLinkPage(language: RecipientLanguage): Html {
  return badLinkPageOf(language, language.texts.badUnsubscribeLink);
}

/** For a link of a message that was altered or cut off: where it led is not known. */
export function badLinkPage(language: RecipientLanguage): Html {
  return badLinkPageOf(language, language.texts.badClickLink);
}

/** For any link of a message that is not valid, with what its recipient can do. */
export function badLinkPageOf(language: RecipientLanguage, advice: string): Html {
  const { badLink } = language.texts;
  return messagePage(
    badLink,
    html`<h1>${badLink}</h1>
<p>${advice}</p>`,
    { language },
  );
}

/** Relative to `/u/{token}`, wherever the service is mounted. */
function returnForm(token: string, { mistake, subscribeAgain }: RecipientTexts): Html {
  return html`<form method="post" action="${token}/resubscribe">
<p class="more">${mistake}</p>
<button class="quiet">${subscribeAgain}</button>
</form>`;
}

function titleOf(withSender: string, without: string, subject: UnsubscribeSubject | null): string {
  return subject === null ? without : fill(withSender, { sender: subject.senderName });
}

function lookOf(subject: UnsubscribeSubject | null, language: RecipientLanguage): CardLook {
  return subject === null ? { language } : { language, brand: subject.brand };
}

function ofWhom(subject: UnsubscribeSubject | null, text: string, ofNobody: string): Html {
  if (subject === null) return html`${ofNobody}`;
  const { address, senderName, senderAddress } = subject;
  const shown = senderAddress === null ? null : html` (${senderAddress})`;
  return fillHtml(text, {
    address: html`<strong>${maskedAddress(address)}</strong>`,
    sender: html`<strong>${senderName}</strong>${shown}`,
  });
}
