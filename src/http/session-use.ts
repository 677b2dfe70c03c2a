/** Browser sessions of requests: the session of a cookie, and the time of its last use. */
import { AppError } from '../errors/app-error.ts';
import { UNAUTHORIZED } from '../errors/platform-errors.ts';
import { oncePerPlatform } from '../platform.ts';
import { type BrowserSession, sessionExpiry } from '../tenancy/browser-session.ts';
import { type FoundBrowserSession, findBrowserSession } from '../tenancy/find-browser-session.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import type { RequestContext } from './context.ts';
import { recordMemberUse } from './member-use.ts';
import { isWithCookieOnly, readSessionToken } from './session-cookie.ts';
import { useRecorder } from './use-recorder.ts';

/**
 * Finds the session of a request's cookie, with its user's membership in the tenant with this code, and records its
 * use.
 * @throws AppError UNAUTHORIZED
 */
export async function authenticateSession(
  { platform, headers, now }: RequestContext,
  tenantCode: string | null,
): Promise<FoundBrowserSession> {
  const token = isWithCookieOnly({ headers }) ? readSessionToken(platform, headers) : null;
  const found = token && (await findBrowserSession(platform, token, tenantCode));
  if (!found || now >= found.session.expiresAt) throw new AppError(UNAUTHORIZED, { message: NOT_SIGNED_IN });
  recordSessionUse(platform)(found.session, now);
  const { member } = found;
  if (member && !member.isSuspended) recordMemberUse(platform)(member.caller, member.seenAt, now);
  return found;
}

/** Returns the session of a request's cookie; null: there is none, or it has ended. */
export async function findSession(ctx: RequestContext): Promise<BrowserSession | null> {
  try {
    return (await authenticateSession(ctx, null)).session;
  } catch (error) {
    if (error instanceof AppError && error.definition === UNAUTHORIZED) return null;
    throw error;
  }
}

const NOT_SIGNED_IN = 'You are not signed in, or your session has ended. Sign in with POST /auth/session.';

/** Records that a session was used, which also extends it. */
const recordSessionUse = oncePerPlatform((platform) => {
  const recordUse = useRecorder(platform, 'record session use');
  return (session: BrowserSession, now: Date): void =>
    recordUse(session.id, session.lastSeenAt, now, () =>
      platform
        .scoped(wholeTenant(session.tenantId))
        .query.updateTable('browser_sessions')
        .set({ last_seen_at: now, expires_at: sessionExpiry(session, now) })
        .where('id', '=', session.id)
        .execute(),
    );
});
