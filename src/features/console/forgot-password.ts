/** The page `/console/forgot-password`, on which a user asks for a link to set a new password. */
import { buttonLink, emailField } from '../../http/account-form.ts';
import { type AccountTexts, accountLanguage, accountPageReply } from '../../http/account-page.ts';
import type { RequestContext } from '../../http/context.ts';
import { requireSameOrigin } from '../../http/csrf.ts';
import { html } from '../../http/html.ts';
import type { RawReply } from '../../http/route.ts';
import { requestReset } from '../tenancy/api.ts';

const EN = {
  heading: 'Forgot password?',
  lead: 'Enter your email address. You get a link to set a new password.',
  send: 'Send link',
  back: 'Back to sign-in',
  sent: 'Check your mail',
  sentLead: 'If this address has an account, a link is on its way. It works once, for one hour.',
};
const TEXTS: AccountTexts<typeof EN> = {
  en: EN,
  de: {
    heading: 'Passwort vergessen?',
    lead: 'Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten einen Link für ein neues Passwort.',
    send: 'Link senden',
    back: 'Zurück zur Anmeldung',
    sent: 'Sehen Sie in Ihre E-Mails',
    sentLead:
      'Wenn es zu dieser Adresse ein Konto gibt, ist ein Link unterwegs. Er gilt einmal, eine Stunde lang.',
  },
};

/** Returns the page with the form. */
export function forgotPasswordPage(ctx: RequestContext): Promise<RawReply> {
  const language = accountLanguage(ctx);
  const texts = TEXTS[language];
  const content = html`<h1>${texts.heading}</h1>
<p class="lead">${texts.lead}</p>
<form method="post">
${emailField(language, '', true)}
<button class="button">${texts.send}</button>
</form>
<p class="more"><a href="sign-in">${texts.back}</a></p>`;
  return accountPageReply(ctx, { language, title: texts.heading, content });
}

/** Sends the link. The page is the same for every address. @throws AppError CSRF_REJECTED for a form of another site. */
export async function submitForgotPassword(ctx: RequestContext, form: URLSearchParams): Promise<RawReply> {
  requireSameOrigin(ctx);
  await requestReset(ctx, { email: form.get('email') ?? '' });
  const language = accountLanguage(ctx);
  const texts = TEXTS[language];
  const content = html`<h1>${texts.sent}</h1>
<p class="lead">${texts.sentLead}</p>
${buttonLink('sign-in', texts.back)}`;
  return accountPageReply(ctx, { language, title: texts.sent, content });
}
