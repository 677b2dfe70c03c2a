import type { schemas } from '../../../sdk/src/index.ts';

/** Status of a member. An invitation is open until it is accepted or has expired. */
export type MemberStatus = 'active' | 'invited' | 'expired' | 'inactive';

/** Returns the status of a member. */
export function statusOf({ status, invitation }: schemas.Membership): MemberStatus {
  if (status === 'active') return 'active';
  if (invitation === undefined) return 'inactive';
  return Date.parse(invitation.expires_at) > Date.now() ? 'invited' : 'expired';
}

/** True if a member has an invitation that is not accepted, expired or not. */
export function isInvited(member: schemas.Membership): boolean {
  return member.status !== 'active' && member.invitation !== undefined;
}
