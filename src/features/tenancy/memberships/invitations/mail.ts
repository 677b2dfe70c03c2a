/** The mail with the link to accept an invitation (docs/specification/tenants.md#invitations). */
import { html } from '../../../../http/html.ts';
import { MAIL_BUTTON_STYLE, type SystemMail } from '../../../../mail/system-mail.ts';

/** Content of the mail for an invitation. */
export interface InvitationMail {
  readonly to: string;
  /** The name of the tenant. */
  readonly tenant: string;
  readonly url: string;
  readonly host: string;
}

/** Creates the mail to an invited user. Only the tenant's name is chosen by its members. */
export function invitationMail({ to, tenant, url, host }: InvitationMail): SystemMail {
  return {
    to,
    subject: `Invitation to ${tenant}`,
    text: `Hello,

You are invited to join ${tenant} at ${host}. To accept, open this link:

${url}

The link works once, for seven days. If you do not know ${tenant}, ignore this message: nothing happens unless you accept.
`,
    html: html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Invitation to ${tenant}</title></head>
<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1b1b1f">
<p>Hello,</p>
<p>You are invited to join <strong>${tenant}</strong> at ${host}. To accept, use this button:</p>
<p><a href="${url}" style="${MAIL_BUTTON_STYLE}">Accept the invitation</a></p>
<p style="color:#5a5a66;font-size:14px">The link works once, for seven days. If you do not know ${tenant}, ignore this message: nothing happens unless you accept.</p>
</body>
</html>
`,
  };
}
