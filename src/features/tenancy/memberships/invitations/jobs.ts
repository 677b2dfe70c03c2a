import Type from 'typebox';
import { defineJob } from '../../../../jobs/jobs.ts';
import { sendSystemMail } from '../../../../mail/system-mail.ts';
import { getTenant } from '../../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import { invitationMail } from './mail.ts';
import { findInvitationOf } from './queries.ts';
import { findToken } from './token.ts';

/** Sends an invitation, unless it was accepted, withdrawn or sent again meanwhile, or has expired. */
export const sendInvitationMail = defineJob({
  name: 'invitations.send-mail',
  payload: Type.Object({ tenant_id: Type.String(), membership_id: Type.String(), sent_at: Type.String() }),
  timeoutSeconds: 120,
  run: async (platform, { tenant_id: tenantId, membership_id: membershipId, sent_at }) => {
    const db = platform.scoped(wholeTenant(tenantId));
    const invitation = await findInvitationOf(db, membershipId);
    if (invitation === undefined || platform.clock() >= new Date(invitation.expires_at)) return;
    const found = findToken(
      platform,
      { tenantId, membershipId, sentAt: new Date(sent_at) },
      invitation.digest,
    );
    if (found === null) return;
    const url = `${platform.consoleUrl()}/console/invitation/${found.token}`;
    const { name } = await getTenant(db);
    const mail = { to: invitation.email, tenant: name, url, host: new URL(url).host };
    await sendSystemMail(platform, tenantId, invitationMail(mail));
  },
});
