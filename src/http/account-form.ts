/** Parts of the forms on pages about accounts. They work without scripts. */
import type { AccountLanguage, AccountTexts } from './account-page.ts';
import { type Html, html } from './html.ts';
import type { FormError } from './too-many-attempts.ts';
import type { Upload, UploadRules } from './upload.ts';

/** Content types for a form with a name and a password. */
export const ACCOUNT_FORM: UploadRules = {
  contentTypes: ['application/x-www-form-urlencoded'],
  maxBytes: 64 * 1024,
};

/** Error of a name or a password. */
export type AccountFault = 'missing' | 'short' | 'long';

const TEXTS: AccountTexts<{
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly forgot: string;
  readonly hint: string;
  readonly nameFaults: Readonly<Record<AccountFault, string>>;
  readonly passwordFaults: Readonly<Record<AccountFault, string>>;
}> = {
  en: {
    email: 'Email address',
    name: 'Your name',
    password: 'Password',
    forgot: 'Forgot password?',
    hint: 'At least 8 characters. A long sentence works well.',
    nameFaults: {
      missing: 'Enter your name.',
      short: 'Enter your name.',
      long: 'Too long: use at most 200 characters.',
    },
    passwordFaults: {
      missing: 'Enter a password.',
      short: 'Too short: use at least 8 characters.',
      long: 'Too long: use at most 1,000 characters.',
    },
  },
  de: {
    email: 'E-Mail-Adresse',
    name: 'Ihr Name',
    password: 'Passwort',
    forgot: 'Passwort vergessen?',
    hint: 'Mindestens 8 Zeichen. Ein langer Satz eignet sich gut.',
    nameFaults: {
      missing: 'Geben Sie Ihren Namen ein.',
      short: 'Geben Sie Ihren Namen ein.',
      long: 'Zu lang: höchstens 200 Zeichen.',
    },
    passwordFaults: {
      missing: 'Geben Sie ein Passwort ein.',
      short: 'Zu kurz: mindestens 8 Zeichen.',
      long: 'Zu lang: höchstens 1.000 Zeichen.',
    },
  },
};

/** The error of a whole form. */
export function errorText(error: FormError | null): Html | null {
  return error && html`<p class="alert" role="alert">${error.text}</p>`;
}

/** A field for an email address. */
export function emailField(language: AccountLanguage, value: string, hasFocus: boolean): Html {
  return html`<div class="field"><p class="label"><label for="email">${TEXTS[language].email}</label></p>
<input type="email" id="email" name="email" value="${value}" autocomplete="username" required maxlength="254"${hasFocus ? html` autofocus` : null}></div>`;
}

/** A field for a user's name, with the error of the last attempt. */
export function nameField(language: AccountLanguage, name: string, fault: AccountFault | null): Html {
  const { name: label, nameFaults } = TEXTS[language];
  return html`<div class="field"><p class="label"><label for="name">${label}</label></p>
<input id="name" name="name" value="${name}" autocomplete="name" required maxlength="200"${fault === null ? null : html` aria-invalid="true" autofocus aria-describedby="about-name"`}>
${fault === null ? null : html`<p id="about-name" class="fault" role="alert">${nameFaults[fault]}</p>`}</div>`;
}

/** A field for a new password, with the error of the last attempt. It takes the focus if `mayFocus`. */
export function passwordField(
  language: AccountLanguage,
  label: string,
  fault: AccountFault | null,
  mayFocus = true,
): Html {
  const { hint, passwordFaults } = TEXTS[language];
  return html`<div class="field"><p class="label"><label for="password">${label}</label></p>
<input type="password" id="password" name="password" autocomplete="new-password" required minlength="8" maxlength="1000"
 aria-describedby="about-password"${fault === null ? null : html` aria-invalid="true"${mayFocus ? html` autofocus` : null}`}>
<p id="about-password" class="${fault === null ? 'hint' : 'fault'}"${fault === null ? null : html` role="alert"`}>${fault === null ? hint : passwordFaults[fault]}</p></div>`;
}

/** A field for the password that a user already has. */
export function currentPasswordField(language: AccountLanguage, hasFocus: boolean): Html {
  return html`<div class="field"><p class="label"><label for="password">${TEXTS[language].password}</label></p>
<input type="password" id="password" name="password" autocomplete="current-password" required maxlength="1000"${hasFocus ? html` autofocus` : null}></div>`;
}

/** A link to set another password. It follows the button, so that Tab leads from the password to the button. */
export function forgotPasswordLink(language: AccountLanguage, href: string): Html {
  return html`<p class="more"><a href="${href}">${TEXTS[language].forgot}</a></p>`;
}

/** A link that looks like the button of a form. */
export function buttonLink(href: string, text: string): Html {
  return html`<a class="button" href="${href}">${text}</a>`;
}

/** Reads the fields of a submitted form. @throws AppError when the upload cannot be read. */
export async function readForm(body: Upload): Promise<URLSearchParams> {
  return new URLSearchParams(Buffer.concat(await body.bytes.toArray()).toString());
}
