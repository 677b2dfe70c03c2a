/** The page `/console/sign-in`. */
import { AppError } from '../../errors/app-error.ts';
import { RATE_LIMITED, TENANT_SUSPENDED, UNAUTHORIZED } from '../../errors/platform-errors.ts';
import { currentPasswordField, emailField, errorText, forgotPasswordLink } from '../../http/account-form.ts';
import { type AccountTexts, accountLanguage, accountPageReply } from '../../http/account-page.ts';
import { basePath } from '../../http/console-paths.ts';
import type { RequestContext } from '../../http/context.ts';
import { html } from '../../http/html.ts';
import type { RawReply } from '../../http/route.ts';
import { type FormError, tooManyAttempts } from '../../http/too-many-attempts.ts';
import { signInBrowser } from '../tenancy/api.ts';
import { readNext } from './next-path.ts';

const EN = {
  heading: 'Sign in',
  remember: 'Keep me signed in for 30 days',
  signIn: 'Sign in',
  wrong: 'Incorrect email address or password.',
  suspended: 'Your organization is suspended. Ask the operator of this installation.',
};
const TEXTS: AccountTexts<typeof EN> = {
  en: EN,
  de: {
    heading: 'Anmelden',
    remember: '30 Tage angemeldet bleiben',
    signIn: 'Anmelden',
    wrong: 'E-Mail-Adresse oder Passwort ist falsch.',
    suspended: 'Ihre Organisation ist gesperrt. Fragen Sie den Betreiber dieser Installation.',
  },
};

/** Content of the form: the values of the last attempt, and its error. */
interface SignInForm {
  readonly next: string;
  readonly email: string;
  readonly remember: boolean;
  readonly error: FormError | null;
}

/** Returns the page with the form. */
export function signInPage(
  ctx: RequestContext,
  next: string | null,
  { email, remember, error }: Omit<SignInForm, 'next'> = { email: '', remember: false, error: null },
): Promise<RawReply> {
  const language = accountLanguage(ctx);
  const texts = TEXTS[language];
  const content = html`<h1>${texts.heading}</h1>
${errorText(error)}
<form method="post">
<input type="hidden" name="next" value="${readNext(next)}">
${emailField(language, email, email === '')}
${currentPasswordField(language, email !== '')}
<label class="check"><input type="checkbox" name="remember"${remember ? html` checked` : null}> ${texts.remember}</label>
<button class="button">${texts.signIn}</button>
</form>
${forgotPasswordLink(language, 'forgot-password')}`;
  return accountPageReply(ctx, {
    language,
    title: `${texts.heading} · Tessera`,
    content,
    status: error?.status ?? 200,
  });
}

/**
 * Signs in by the form of the page, and leads to the address that the user asked for.
 * @throws AppError CSRF_REJECTED for a form of another site.
 */
export async function submitSignIn(ctx: RequestContext, form: URLSearchParams): Promise<RawReply> {
  const [email, password] = [form.get('email') ?? '', form.get('password') ?? ''];
  const remember = form.has('remember');
  try {
    await signInBrowser(ctx, { email, password, remember });
  } catch (error) {
    const shown = { email, remember, error: errorOf(ctx, error) };
    if (shown.error === null) throw error;
    return signInPage(ctx, form.get('next'), shown);
  }
  return redirectTo(ctx, readNext(form.get('next')));
}

/** Answers with a redirect to a path of the console. */
export function redirectTo({ platform }: Pick<RequestContext, 'platform'>, path: string): RawReply {
  const location = basePath(platform.consoleUrl()) + path;
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

/** Returns the status and the message for a failed sign-in; null for other errors. */
function errorOf(ctx: RequestContext, error: unknown): SignInForm['error'] {
  if (!(error instanceof AppError)) return null;
  const texts = TEXTS[accountLanguage(ctx)];
  const { definition, retryAfterSeconds = 60 } = error;
  if (definition === UNAUTHORIZED) return { status: 401, text: texts.wrong };
  if (definition === TENANT_SUSPENDED) return { status: 403, text: texts.suspended };
  return definition === RATE_LIMITED ? tooManyAttempts(ctx, retryAfterSeconds) : null;
}
