import type { schemas } from '../../../sdk/src/index.ts';

/** Status of a member. An invitation is open until it is accepted or has expired. */
export type MemberStatus = 'active' | 'invited' | 'expired' | 'inactive';

/** Returns the status of a member. */
export function statusOf({ status, invitation }: schemas.Membership): MemberStatus {
  if (status === 'active') return 'active';
  if (invitation === undefined) return 'inactive';
  return Date.parse(invitation.expires_at) > Date.now() ? 'invited' : 'expired';
}
