/** The page of `PUBLIC_URL/preferences/{token}`: what somebody receives, as a form that needs no script. */
import { brandOf } from '../../../http/brand.ts';
import { type Html, html } from '../../../http/html.ts';
import { cardHeaders, messagePage, pageReply } from '../../../http/page.ts';
import type { RawReply } from '../../../http/route.ts';
import { maskedAddress } from '../../../mail/address.ts';
import { hasLeft } from '../choices.ts';
import type { OfferedType, PreferencesSubject } from './service.ts';

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

/** The page, after a save with what was saved. */
export function preferencesPage(subject: PreferencesSubject, isSaved: boolean): RawReply {
  const { tenant, subscriber, types } = subject;
  const brand = brandOf(tenant);
  const title = `${isSaved ? 'Saved: your' : 'Your'} e-mails from ${tenant.name}`;
  const content = html`<h1>${isSaved ? 'Your choice is saved' : 'What would you like to receive?'}</h1>
<p>E-mails from <strong>${tenant.name}</strong> to <strong>${maskedAddress(subscriber.email)}</strong></p>
<form method="post">
${stateOf(subject, isSaved)}
${types.length > 0 ? html`<fieldset><legend>Send me</legend>${types.map(typeChoice)}</fieldset>` : null}
${subscriber.active ? nothingChoice(tenant.name, types.length > 0) : null}
<button>Save</button>
</form>`;
  return pageReply(messagePage(title, content, { brand, style: STYLE }), cardHeaders(brand));
}

/** For a link that was altered or cut off, is over, or whose owner was erased: answered with 404. */
export function badPreferencesLinkPage(): RawReply {
  const page = messagePage(
    'Link not valid',
    html`<h1>This link is not valid</h1>
<p>It may have been cut off on its way, be older than 90 days, or come from a preview. Please use the link in a newer message.</p>`,
  );
  return pageReply(page, cardHeaders(), 404);
}

/** Tells what was saved, and why nothing comes where nothing comes. */
function stateOf({ tenant, subscriber, types }: PreferencesSubject, isSaved: boolean): Html | null {
  const { name } = tenant;
  if (hasLeft(subscriber))
    return state(
      types.length > 0
        ? `You receive nothing from ${name} any more. Tick what you want to receive again.`
        : `You receive nothing from ${name} any more.`,
    );
  if (!subscriber.active)
    return state(`At present ${name} sends nothing to this address, whatever you choose.`);
  if (!isSaved) return null;
  const names = types.filter(({ subscribed }) => subscribed).map((type) => type.name);
  if (types.length === 0) return null;
  return state(names.length > 0 ? `You receive: ${names.join(', ')}.` : 'You receive none of these.');
}

function state(text: string): Html {
  return html`<p class="state" role="status">${text}</p>`;
}

/** The whole row is what a click or tap may hit. */
function typeChoice({ id, name, description, subscribed }: OfferedType, place: number): Html {
  const [field, hint] = [`type-${place}`, `about-${place}`];
  const told = description.trim() !== '';
  return html`
<div class="choice"><input type="hidden" name="shown" value="${id}">
<input type="checkbox" id="${field}" name="type" value="${id}"${told ? html` aria-describedby="${hint}"` : null}${subscribed ? html` checked` : null}>
<div><label for="${field}">${name}</label>${told ? html`<p id="${hint}">${description}</p>` : null}</div></div>`;
}

function nothingChoice(tenant: string, isAmongOthers: boolean): Html {
  const others = isAmongOthers ? ', whatever is ticked above' : '';
  return html`<div class="${isAmongOthers ? 'nothing' : ''}"><div class="choice">
<input type="checkbox" id="nothing" name="nothing" value="yes" aria-describedby="about-nothing">
<div><label for="nothing">Nothing any more</label>
<p id="about-nothing">No newsletters or offers from ${tenant} at all${others}.</p></div></div></div>`;
}
