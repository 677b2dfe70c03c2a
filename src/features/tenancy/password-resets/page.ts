/** The page `CONSOLE_URL/console/reset/{token}`, on which a user sets a new password. */
import { FORM_STYLE, passwordField } from '../../../http/account-form.ts';
import { html } from '../../../http/html.ts';
import { cardHeaders, messagePage, pageReply } from '../../../http/page.ts';
import type { RawReply } from '../../../http/route.ts';
import type { ResetSubject } from './service.ts';

/** Returns the form, the form with errors, or the confirmation; 404 for null. */
export function resetPage(subject: ResetSubject | null): RawReply {
  if (subject === null) return badLinkPage();
  return subject.state === 'done' ? donePage(subject) : formPage(subject);
}

function formPage({ emailHint, fault }: ResetSubject): RawReply {
  const title = fault === null ? 'Set a new password' : 'Not saved: set a new password';
  const content = html`<h1>Set a new password</h1>
<p>For the account <strong>${emailHint}</strong></p>
<form method="post">
${passwordField('New password', fault)}
<button>Save password</button>
</form>
<p class="more">This signs you out everywhere. Then sign in with the new password.</p>`;
  return pageReply(
    messagePage(title, content, { style: FORM_STYLE }),
    cardHeaders(),
    fault === null ? 200 : 400,
  );
}

function donePage({ emailHint }: ResetSubject): RawReply {
  const content = html`<h1>Your new password is saved</h1>
<p>You can now sign in as <strong>${emailHint}</strong> with it. All earlier
sessions have ended.</p>`;
  return pageReply(messagePage('Password saved', content), cardHeaders());
}

function badLinkPage(): RawReply {
  const content = html`<h1>This link is no longer valid</h1>
<p>A link to set a password works once, for one hour. The link may also be incomplete. Please ask for a new
one.</p>`;
  return pageReply(messagePage('Link not valid', content), cardHeaders(), 404);
}
