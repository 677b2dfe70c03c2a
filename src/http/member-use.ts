import { oncePerPlatform } from '../platform.ts';
import type { Caller } from '../tenancy/caller.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import { useRecorder } from './use-recorder.ts';

/** Records that a member used the tenant, by an API key or a browser session. */
export const recordMemberUse = oncePerPlatform((platform) => {
  const recordUse = useRecorder(platform, 'record member use');
  return ({ tenantId, membershipId }: Caller, seenAt: string | null, now: Date): void =>
    recordUse(membershipId, seenAt === null ? null : new Date(seenAt), now, () =>
      platform
        .scoped(wholeTenant(tenantId))
        .query.updateTable('memberships')
        .set({ last_seen_at: now.toISOString() })
        .where('membership_id', '=', membershipId)
        .execute(),
    );
});
