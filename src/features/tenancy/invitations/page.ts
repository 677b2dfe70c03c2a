/** The page `CONSOLE_URL/console/invitation/{token}`, on which an invited user joins a tenant. */
import {
  buttonLink,
  currentPasswordField,
  errorText,
  forgotPasswordLink,
  nameField,
  passwordField,
} from '../../../http/account-form.ts';
import {
  type AccountLanguage,
  type AccountTexts,
  accountLanguage,
  accountPageReply,
} from '../../../http/account-page.ts';
import { brandOf } from '../../../http/brand.ts';
import { consolePaths } from '../../../http/console-paths.ts';
import type { RequestContext } from '../../../http/context.ts';
import { type Html, html } from '../../../http/html.ts';
import type { RawReply } from '../../../http/route.ts';
import { type FormError, tooManyAttempts } from '../../../http/too-many-attempts.ts';
import type { InvitationSubject } from './submission.ts';

const EN = {
  join: (tenant: string) => `Join ${tenant}`,
  notSaved: (tenant: string) => `Not saved: join ${tenant}`,
  invited: 'You are invited as',
  password: 'Password',
  accept: 'Accept the invitation',
  wrong: 'Incorrect password.',
  about: {
    new: 'You sign in with this address and password from now on.',
    known: 'Enter the password of your account. It stays the same.',
    current: 'You are signed in with this address.',
  },
  joined: (tenant: string) => `You have joined ${tenant}`,
  joinedTitle: (tenant: string) => `Joined ${tenant}`,
  nowSignIn: 'You can now sign in as',
  signIn: 'Sign in',
  bad: 'This invitation is no longer valid',
  badReason:
    'An invitation works once, for seven days. It may also have been withdrawn, or the link is incomplete. Ask the person who invited you for a new one.',
};
const TEXTS: AccountTexts<typeof EN> = {
  en: EN,
  de: {
    join: (tenant) => `${tenant} beitreten`,
    notSaved: (tenant) => `Nicht gespeichert: ${tenant} beitreten`,
    invited: 'Sie sind eingeladen als',
    password: 'Passwort',
    accept: 'Einladung annehmen',
    wrong: 'Das Passwort ist falsch.',
    about: {
      new: 'Mit dieser Adresse und diesem Passwort melden Sie sich künftig an.',
      known: 'Geben Sie das Passwort Ihres Kontos ein. Es bleibt, wie es ist.',
      current: 'Sie sind mit dieser Adresse angemeldet.',
    },
    joined: (tenant) => `Sie sind ${tenant} beigetreten`,
    joinedTitle: (tenant) => `${tenant} beigetreten`,
    nowSignIn: 'Sie können sich jetzt anmelden als',
    signIn: 'Anmelden',
    bad: 'Diese Einladung gilt nicht mehr',
    badReason:
      'Eine Einladung gilt einmal, sieben Tage lang. Vielleicht wurde sie zurückgezogen, oder der Link ist unvollständig. Bitten Sie um eine neue.',
  },
};

/** Returns the form, the form with errors, or the confirmation; 404 for null. */
export function invitationPage(ctx: RequestContext, subject: InvitationSubject | null): Promise<RawReply> {
  const language = accountLanguage(ctx);
  if (subject === null) return badLinkPage(ctx, language);
  return subject.state === 'accepted'
    ? acceptedPage(ctx, language, subject)
    : formPage(ctx, language, subject);
}

function formPage(
  ctx: RequestContext,
  language: AccountLanguage,
  subject: InvitationSubject,
): Promise<RawReply> {
  const { tenant, email, faults, account } = subject;
  const texts = TEXTS[language];
  const { forgotPassword } = consolePaths(ctx.platform);
  const error = errorOf(ctx, language, subject);
  const isFaulty = error !== null || faults.name !== null || faults.password !== null;
  const content = html`<h1>${texts.join(tenant.name)}</h1>
<p class="lead">${texts.invited} <strong>${email}</strong></p>
${errorText(error)}
<form method="post">
${account === 'new' ? accountFields(language, subject) : null}
${account === 'known' ? currentPasswordField(language, true) : null}
<button class="button">${texts.accept}</button>
</form>
${account === 'known' && forgotPassword !== null ? forgotPasswordLink(language, forgotPassword) : null}
<p class="more">${texts.about[account]}</p>`;
  const title = isFaulty ? texts.notSaved(tenant.name) : texts.join(tenant.name);
  const status = error?.status ?? (isFaulty ? 400 : 200);
  return accountPageReply(ctx, { language, title, content, status, brand: brandOf(tenant) });
}

function errorOf(
  ctx: RequestContext,
  language: AccountLanguage,
  { refusal }: InvitationSubject,
): FormError | null {
  if (refusal === null) return null;
  if (refusal === 'wrong') return { status: 401, text: TEXTS[language].wrong };
  return tooManyAttempts(ctx, refusal.waitSeconds);
}

/** Returns the account fields, with the focus on the first invalid one. */
function accountFields(language: AccountLanguage, { name, faults }: InvitationSubject): Html {
  return html`${nameField(language, name, faults.name)}
${passwordField(language, TEXTS[language].password, faults.password, faults.name === null)}`;
}

function acceptedPage(
  ctx: RequestContext,
  language: AccountLanguage,
  { tenant, email }: InvitationSubject,
): Promise<RawReply> {
  const texts = TEXTS[language];
  const { signIn } = consolePaths(ctx.platform);
  const content = html`<h1>${texts.joined(tenant.name)}</h1>
<p class="lead">${texts.nowSignIn} <strong>${email}</strong>.</p>
${signIn === null ? null : buttonLink(signIn, texts.signIn)}`;
  const title = texts.joinedTitle(tenant.name);
  return accountPageReply(ctx, { language, title, content, brand: brandOf(tenant) });
}

function badLinkPage(ctx: RequestContext, language: AccountLanguage): Promise<RawReply> {
  const texts = TEXTS[language];
  const content = html`<h1>${texts.bad}</h1>
<p class="lead">${texts.badReason}</p>`;
  return accountPageReply(ctx, { language, title: texts.bad, content, status: 404 });
}
