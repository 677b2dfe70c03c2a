/** The page `CONSOLE_URL/console/invitation/{token}`, on which an invited user joins a tenant. */
import { FORM_STYLE, nameField, passwordField } from '../../../http/account-form.ts';
import { brandOf } from '../../../http/brand.ts';
import { type Html, html } from '../../../http/html.ts';
import { cardHeaders, messagePage, pageReply } from '../../../http/page.ts';
import type { RawReply } from '../../../http/route.ts';
import type { InvitationSubject } from './submission.ts';

/** Returns the form, the form with errors, or the confirmation; 404 for null. */
export function invitationPage(subject: InvitationSubject | null): RawReply {
  if (subject === null) return badLinkPage();
  return subject.state === 'accepted' ? acceptedPage(subject) : formPage(subject);
}

function formPage(subject: InvitationSubject): RawReply {
  const { tenant, email, faults } = subject;
  const isFaulty = faults.name !== null || faults.password !== null;
  const title = `${isFaulty ? 'Not saved: join' : 'Join'} ${tenant.name}`;
  const content = html`<h1>Join ${tenant.name}</h1>
<p>You are invited as <strong>${email}</strong>.</p>
<form method="post">
${subject.needsPassword ? accountFields(subject) : null}
<button>Accept the invitation</button>
</form>
<p class="more">${subject.needsPassword ? 'You sign in with this address and password from now on.' : 'You sign in with the password that you already have.'}</p>`;
  return cardReply(subject, title, content, isFaulty ? 400 : 200);
}

/** Returns the account fields, with the focus on the first invalid one. */
function accountFields({ name, faults }: InvitationSubject): Html {
  return html`${nameField(name, faults.name)}
${passwordField('Password', faults.password, faults.name === null)}`;
}

function acceptedPage(subject: InvitationSubject): RawReply {
  const { tenant, email } = subject;
  const content = html`<h1>You have joined ${tenant.name}</h1>
<p>You can now sign in as <strong>${email}</strong>.</p>`;
  return cardReply(subject, `Joined ${tenant.name}`, content, 200);
}

function cardReply({ tenant }: InvitationSubject, title: string, content: Html, status: number): RawReply {
  const brand = brandOf(tenant);
  return pageReply(messagePage(title, content, { brand, style: FORM_STYLE }), cardHeaders(brand), status);
}

function badLinkPage(): RawReply {
  const content = html`<h1>This invitation is no longer valid</h1>
<p>An invitation works once, for seven days. It may also have been withdrawn, or the link is incomplete. Please ask
for a new one.</p>`;
  return pageReply(messagePage('Invitation not valid', content), cardHeaders(), 404);
}
