/** The mail with the link to set a new password (docs/specification/records.md#passwords). */
import { html } from '../../../http/html.ts';
import { MAIL_BUTTON_STYLE, type SystemMail } from '../../../mail/system-mail.ts';

/** Creates the mail with the link. Nothing in it comes from the request. */
export function resetMail(to: string, url: string, host: string): SystemMail {
  return {
    to,
    subject: 'Set a new password',
    text: `Hello,

Someone asked for a new password for your account at ${host}. To set one, open this link:

${url}

The link works once, for one hour. If you did not ask for this, ignore this message: your password stays as it is.
`,
    html: html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Set a new password</title></head>
<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1b1b1f">
<p>Hello,</p>
<p>Someone asked for a new password for your account at ${host}. To set one, use this button:</p>
<p><a href="${url}" style="${MAIL_BUTTON_STYLE}">Set a new password</a></p>
<p style="color:#5a5a66;font-size:14px">The link works once, for one hour. If you did not ask for this, ignore this message: your password stays as it is.</p>
</body>
</html>
`,
  };
}
