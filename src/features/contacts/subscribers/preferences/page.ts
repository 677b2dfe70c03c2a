/** The page of `PUBLIC_URL/preferences/{token}`: a form with the subscriber's choices, without scripts. */
import { brandOf } from '../../../../http/brand.ts';
import { type Html, html } from '../../../../http/html.ts';
import { cardHeaders, messagePage, pageReply } from '../../../../http/page.ts';
import type { RecipientTexts } from '../../../../http/recipient-texts/en.ts';
import {
  fill,
  fillHtml,
  type RecipientLanguage,
  recipientLanguage,
} from '../../../../http/recipient-texts/recipient-language.ts';
import type { RawReply } from '../../../../http/route.ts';
import { maskedAddress } from '../../../../mail/address.ts';
import type { TenantRow } from '../../../../tenancy/identity-tables.ts';
import { hasOptedOut } from '../choices.ts';
import type { SubscriberRow } from '../resource.ts';
import type { SubscriptionChoice } from './service.ts';

const STYLE = html`main { width: 30rem; max-width: calc(100vw - 3rem); }
  @media (max-width: 30rem) { main { max-width: calc(100vw - 1.5rem); margin: .75rem; padding: 1.5rem 1rem; } }
  .state { margin: 0 0 1.5rem; padding: .75rem 1rem; border: 1px solid var(--accent); border-radius: 8px; color: var(--text); }
  form { margin-top: 1.5rem; text-align: start; }
  fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
  legend { padding: 0; margin-bottom: .5rem; font-weight: 600; }
  .choice { position: relative; display: flex; gap: .75rem; padding: .75rem; border: 1px solid var(--line);
    border-radius: 8px; }
  .choice + .choice { margin-top: .5rem; }
  .choice:hover { border-color: var(--accent); }
  .choice:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
  .choice input { position: relative; z-index: 1; flex: none; width: 1.25rem; height: 1.25rem; margin: .125rem 0 0; accent-color: var(--accent); }
  .choice div { min-width: 0; }
  .choice label { font-weight: 600; }
  .choice label::after { content: ""; position: absolute; inset: 0; cursor: pointer; }
  .choice p { font-size: .9375rem; }
  .nothing { margin-top: 1.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
  form button { width: 100%; }`;

/** Content of the page: a sender, a recipient, and the recipient's choices. */
export interface PreferencesContent {
  readonly tenant: Pick<TenantRow, 'name' | 'brand_settings'>;
  readonly subscriber: Pick<SubscriberRow, 'email' | 'active' | 'inactive_reason'>;
  readonly types: readonly SubscriptionChoice[];
}

/** Replies with the page; after a save, with the result. */
export function preferencesPage(
  content: PreferencesContent,
  isSaved: boolean,
  acceptLanguage: string | undefined,
): RawReply {
  const { tenant } = content;
  const language = recipientLanguage(acceptLanguage, tenant.brand_settings.locale);
  return pageReply(renderPage(content, { isSaved, language }), cardHeaders(brandOf(tenant)));
}

/** Renders the page as recipients of unknown language see it, with a form that sends nothing. */
export function previewPage(content: PreferencesContent): string {
  const language = recipientLanguage(undefined, content.tenant.brand_settings.locale);
  return renderPage(content, { language, isPreview: true }).toString();
}

interface RenderOptions {
  readonly language: RecipientLanguage;
  readonly isSaved?: boolean;
  readonly isPreview?: boolean;
}

function renderPage(
  subject: PreferencesContent,
  { language, isSaved = false, isPreview = false }: RenderOptions,
): Html {
  const { tenant, subscriber, types } = subject;
  const { texts } = language;
  const sender = tenant.name;
  const title = fill(isSaved ? texts.savedTitle : texts.preferencesTitle, { sender });
  const content = html`<h1>${isSaved ? texts.preferencesSaved : texts.preferencesAsk}</h1>
<p>${fillHtml(texts.preferencesOf, { sender: strong(sender), address: strong(maskedAddress(subscriber.email)) })}</p>
<form${isPreview ? null : html` method="post"`}>
${stateOf(subject, isSaved, texts)}
${types.length > 0 ? html`<fieldset><legend>${texts.sendMe}</legend>${types.map(typeChoice)}</fieldset>` : null}
${subscriber.active ? unsubscribeAllChoice(sender, types.length > 0, texts) : null}
<button${isPreview ? html` type="button"` : null}>${texts.save}</button>
</form>`;
  return messagePage(title, content, { language, brand: brandOf(tenant), style: STYLE });
}

function strong(text: string): Html {
  return html`<strong>${text}</strong>`;
}

/** Describes what was saved, and why a subscriber receives nothing. */
function stateOf(
  { tenant, subscriber, types }: PreferencesContent,
  isSaved: boolean,
  texts: RecipientTexts,
): Html | null {
  const sender = { sender: tenant.name };
  if (hasOptedOut(subscriber)) {
    const message = fill(texts.receiveNothing, sender);
    return state(types.length > 0 ? `${message} ${texts.tickAgain}` : message);
  }
  if (!subscriber.active) return state(fill(texts.sendsNothing, sender));
  if (!isSaved) return null;
  const names = types.filter(({ subscribed }) => subscribed).map((type) => type.name);
  if (types.length === 0) return null;
  return state(names.length > 0 ? fill(texts.youReceive, { names: names.join(', ') }) : texts.receiveNone);
}

function state(text: string): Html {
  return html`<p class="state" role="status">${text}</p>`;
}

/** Renders a type. The whole row is clickable. */
function typeChoice({ id, name, description, subscribed }: SubscriptionChoice, index: number): Html {
  const [field, hint] = [`type-${index}`, `about-${index}`];
  const isDescribed = description.trim() !== '';
  return html`
<div class="choice"><input type="hidden" name="shown" value="${id}">
<input type="checkbox" id="${field}" name="type" value="${id}"${isDescribed ? html` aria-describedby="${hint}"` : null}${subscribed ? html` checked` : null}>
<div><label for="${field}">${name}</label>${isDescribed ? html`<p id="${hint}">${description}</p>` : null}</div></div>`;
}

function unsubscribeAllChoice(sender: string, hasTypes: boolean, texts: RecipientTexts): Html {
  const hint = fill(hasTypes ? texts.nothingHintAmongOthers : texts.nothingHint, { sender });
  return html`<div class="${hasTypes ? 'nothing' : ''}"><div class="choice">
<input type="checkbox" id="nothing" name="nothing" value="yes" aria-describedby="about-nothing">
<div><label for="nothing">${texts.nothing}</label>
<p id="about-nothing">${hint}</p></div></div></div>`;
}
