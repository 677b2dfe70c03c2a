import Type from 'typebox';
import { defineJob } from '../../../jobs/jobs.ts';
import { sendSystemMail } from '../../../mail/system-mail.ts';
import { findUserById } from '../memberships/index.ts';
import { resetMail } from './mail.ts';
import { endOfLink, resetUrl } from './token.ts';

/** Mails the link to a user, unless it has expired. The job creates the token, so that no table stores it. */
export const sendResetMail = defineJob({
  name: 'password-resets.send-mail',
  payload: Type.Object({ tenant_id: Type.String(), user_id: Type.String(), asked_at: Type.String() }),
  timeoutSeconds: 120,
  run: async (platform, { tenant_id, user_id, asked_at }) => {
    const expiresAt = endOfLink(new Date(asked_at));
    if (platform.clock() >= expiresAt) return;
    const foundUser = await findUserById(platform.database.everyTenant('sign-in'), user_id);
    if (foundUser === undefined) return;
    const url = resetUrl(platform, foundUser, expiresAt);
    await sendSystemMail(platform, tenant_id, resetMail(foundUser.email, url, new URL(url).host));
  },
});
