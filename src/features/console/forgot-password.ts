/** The page `/console/forgot-password`, on which a user asks for a link to set a new password. */
import { buttonLink, emailField, errorText } from '../../http/account-form.ts';
import { type AccountTexts, accountLanguage, accountPageReply } from '../../http/account-page.ts';
import { clientNetwork } from '../../http/client-network.ts';
import type { RequestContext } from '../../http/context.ts';
import { requireSameOrigin } from '../../http/csrf.ts';
import { html } from '../../http/html.ts';
import { windowCounter } from '../../http/rate-limits.ts';
import type { RawReply } from '../../http/route.ts';
import { type FormError, tooManyAttempts } from '../../http/too-many-attempts.ts';
import { oncePerPlatform } from '../../platform.ts';
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

const MAX_REQUESTS = 30;
const WINDOW_SECONDS = 60 * 60;

/** Requests of a client's network. */
const counterOf = oncePerPlatform((platform) => windowCounter(platform, 'forgot-password', WINDOW_SECONDS));

/** Returns the page with the form, after an attempt with its address and error. */
export function forgotPasswordPage(
  ctx: RequestContext,
  { email, error }: { readonly email: string; readonly error: FormError | null } = { email: '', error: null },
): Promise<RawReply> {
  const language = accountLanguage(ctx);
  const texts = TEXTS[language];
  const content = html`<h1>${texts.heading}</h1>
<p class="lead">${texts.lead}</p>
${errorText(error)}
<form method="post">
${emailField(language, email, true)}
<button class="button">${texts.send}</button>
</form>
<p class="more"><a href="sign-in">${texts.back}</a></p>`;
  return accountPageReply(ctx, { language, title: texts.heading, content, status: error?.status ?? 200 });
}

/**
 * Sends the link. The page is the same for every address; over the limit it says how long to wait.
 * @throws AppError CSRF_REJECTED for a form of another site.
 */
export async function submitForgotPassword(ctx: RequestContext, form: URLSearchParams): Promise<RawReply> {
  requireSameOrigin(ctx);
  const email = form.get('email') ?? '';
  const { count, msLeft } = await counterOf(ctx.platform).add(clientNetwork(ctx.client.address));
  if (count > MAX_REQUESTS)
    return forgotPasswordPage(ctx, { email, error: tooManyAttempts(ctx, Math.ceil(msLeft / 1000)) });
  await requestReset(ctx, { email });
  const language = accountLanguage(ctx);
  const texts = TEXTS[language];
  const content = html`<h1>${texts.sent}</h1>
<p class="lead">${texts.sentLead}</p>
${buttonLink('sign-in', texts.back)}`;
  return accountPageReply(ctx, { language, title: texts.sent, content });
}
