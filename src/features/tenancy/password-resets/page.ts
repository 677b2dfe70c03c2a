/** The page `CONSOLE_URL/console/reset/{token}`, on which a user sets a new password. */
import { buttonLink, passwordField } from '../../../http/account-form.ts';
import {
  type AccountLanguage,
  type AccountTexts,
  accountLanguage,
  accountPageReply,
} from '../../../http/account-page.ts';
import { consolePaths } from '../../../http/console-paths.ts';
import type { RequestContext } from '../../../http/context.ts';
import { html } from '../../../http/html.ts';
import type { RawReply } from '../../../http/route.ts';
import type { ResetSubject } from './service.ts';

const EN = {
  heading: 'Set a new password',
  account: 'For the account',
  notSaved: 'Not saved: set a new password',
  password: 'New password',
  save: 'Save password',
  effect: 'This signs you out everywhere. Then sign in with the new password.',
  saved: 'Your new password is saved',
  savedTitle: 'Password saved',
  nowSignIn: 'All earlier sessions have ended. Sign in with it as',
  signIn: 'Sign in',
  bad: 'This link is no longer valid',
  badReason: 'A link to set a password works once, for one hour. It may also be incomplete.',
  again: 'Get a new link',
};
const TEXTS: AccountTexts<typeof EN> = {
  en: EN,
  de: {
    heading: 'Neues Passwort setzen',
    account: 'Für das Konto',
    notSaved: 'Nicht gespeichert: neues Passwort setzen',
    password: 'Neues Passwort',
    save: 'Passwort speichern',
    effect: 'Danach sind Sie überall abgemeldet. Melden Sie sich dann mit dem neuen Passwort an.',
    saved: 'Ihr neues Passwort ist gespeichert',
    savedTitle: 'Passwort gespeichert',
    nowSignIn: 'Alle früheren Sitzungen sind beendet. Melden Sie sich damit an als',
    signIn: 'Anmelden',
    bad: 'Dieser Link gilt nicht mehr',
    badReason:
      'Ein Link für ein neues Passwort gilt einmal, eine Stunde lang. Vielleicht ist er unvollständig.',
    again: 'Neuen Link anfordern',
  },
};

/** Returns the form, the form with errors, or the confirmation; 404 for null. */
export function resetPage(ctx: RequestContext, subject: ResetSubject | null): Promise<RawReply> {
  const language = accountLanguage(ctx);
  if (subject === null) return badLinkPage(ctx, language);
  return subject.state === 'done' ? donePage(ctx, language, subject) : formPage(ctx, language, subject);
}

function formPage(
  ctx: RequestContext,
  language: AccountLanguage,
  { emailHint, fault }: ResetSubject,
): Promise<RawReply> {
  const texts = TEXTS[language];
  const content = html`<h1>${texts.heading}</h1>
<p class="lead">${texts.account} <strong>${emailHint}</strong></p>
<form method="post">
${passwordField(language, texts.password, fault)}
<button class="button">${texts.save}</button>
</form>
<p class="more">${texts.effect}</p>`;
  const [title, status] = fault === null ? [texts.heading, 200] : [texts.notSaved, 400];
  return accountPageReply(ctx, { language, title, content, status });
}

function donePage(
  ctx: RequestContext,
  language: AccountLanguage,
  { emailHint }: ResetSubject,
): Promise<RawReply> {
  const texts = TEXTS[language];
  const { signIn } = consolePaths(ctx.platform);
  const content = html`<h1>${texts.saved}</h1>
<p class="lead">${texts.nowSignIn} <strong>${emailHint}</strong>.</p>
${signIn === null ? null : buttonLink(signIn, texts.signIn)}`;
  return accountPageReply(ctx, { language, title: texts.savedTitle, content });
}

function badLinkPage(ctx: RequestContext, language: AccountLanguage): Promise<RawReply> {
  const texts = TEXTS[language];
  const { forgotPassword } = consolePaths(ctx.platform);
  const content = html`<h1>${texts.bad}</h1>
<p class="lead">${texts.badReason}</p>
${forgotPassword === null ? null : buttonLink(forgotPassword, texts.again)}`;
  return accountPageReply(ctx, { language, title: texts.bad, content, status: 404 });
}
