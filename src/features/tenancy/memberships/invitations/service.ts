import { ruleBroken } from '../../../../errors/platform-errors.ts';
import type { MemberContext, TenantContext } from '../../../../http/context.ts';
import type { Platform } from '../../../../platform.ts';
import { getRecord } from '../../../../resources/records.ts';
import { membershipResource } from '../resource.ts';
import { sendInvitationMail } from './jobs.ts';
import { isInvited, putInvitation } from './queries.ts';
import { endOfInvitation, makeToken } from './token.ts';

/** The parts of a request context that an invitation needs. */
type InvitingContext = TenantContext & { readonly platform: Platform; readonly now: Date };

/** Stores an invitation for a membership and sends its mail after the commit. Returns its expiry. */
export async function invite({ platform, db, now }: InvitingContext, membershipId: string): Promise<Date> {
  const expiresAt = endOfInvitation(now);
  const { tenantId } = db;
  const { digest } = makeToken(platform, { tenantId, membershipId, sentAt: now });
  await putInvitation(db, { membershipId, digest, sentAt: now, expiresAt });
  await platform.jobs.enqueue(db, sendInvitationMail, {
    tenant_id: tenantId,
    membership_id: membershipId,
    sent_at: now.toISOString(),
  });
  return expiresAt;
}

/**
 * Sends an invitation again, with a new link and another seven days.
 * @throws AppError NOT_FOUND, or VALIDATION_ERROR if no invitation is pending.
 */
export async function resendInvitation(
  ctx: MemberContext,
  membershipId: string,
): Promise<{ expires_at: string }> {
  await getRecord(ctx.db, membershipResource, membershipId);
  if (!(await isInvited(ctx.db, membershipId)))
    throw ruleBroken('membership_id', 'must reference a membership whose invitation is not accepted yet');
  return { expires_at: (await invite(ctx, membershipId)).toISOString() };
}
