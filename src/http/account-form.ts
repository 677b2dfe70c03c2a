/** Parts of the forms on which people set up their account. They work without scripts. */
import { type Html, html } from './html.ts';
import type { Upload, UploadRules } from './upload.ts';

/** Content types for a form with a name and a password. */
export const ACCOUNT_FORM: UploadRules = {
  contentTypes: ['application/x-www-form-urlencoded'],
  maxBytes: 64 * 1024,
};

/** CSS rules of a page with such a form. */
export const FORM_STYLE: Html = html`main { width: 26rem; max-width: calc(100vw - 3rem); }
  @media (max-width: 30rem) { main { max-width: calc(100vw - 1.5rem); margin: .75rem; padding: 1.5rem 1rem; } }
  form { margin-top: 1.5rem; text-align: start; }
  .field + .field { margin-top: 1rem; }
  .field label { display: block; margin-bottom: .25rem; font-weight: 600; }
  .field input { box-sizing: border-box; width: 100%; padding: .625rem .75rem; border: 1px solid var(--soft); border-radius: 8px;
    background: var(--card); color: var(--text); font: inherit; }
  .field input[aria-invalid] { border-color: var(--wrong); box-shadow: inset 0 0 0 1px var(--wrong); }
  .field p { margin-top: .25rem; font-size: .9375rem; }
  .field .fault { color: var(--wrong); font-weight: 600; }
  main { --wrong: #b91c1c; }
  @media (prefers-color-scheme: dark) { main { --wrong: #fca5a5; } }
  form button { width: 100%; }`;

/** A field for a person's name, with the error of the last attempt. */
export function nameField(name: string, fault: string | null): Html {
  return html`<div class="field"><label for="name">Your name</label>
<input id="name" name="name" value="${name}" autocomplete="name" required maxlength="200"${fault === null ? null : html` aria-invalid="true" autofocus aria-describedby="about-name"`}>
${fault === null ? null : html`<p id="about-name" class="fault" role="alert">${fault}</p>`}</div>`;
}

/** A field for a new password, with the error of the last attempt. It takes the focus if `mayFocus`. */
export function passwordField(label: string, fault: string | null, mayFocus = true): Html {
  return html`<div class="field"><label for="password">${label}</label>
<input type="password" id="password" name="password" autocomplete="new-password" required minlength="8" maxlength="1000"
 aria-describedby="about-password"${fault === null ? null : html` aria-invalid="true"${mayFocus ? html` autofocus` : null}`}>
<p id="about-password"${fault === null ? null : html` class="fault" role="alert"`}>${fault ?? 'At least 8 characters. A long sentence works well.'}</p></div>`;
}

/** Reads the fields of a submitted form. @throws AppError when the upload cannot be read. */
export async function readForm(body: Upload): Promise<URLSearchParams> {
  return new URLSearchParams(Buffer.concat(await body.bytes.toArray()).toString());
}
