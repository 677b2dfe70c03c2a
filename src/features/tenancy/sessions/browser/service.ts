/**
 * Sessions of browsers: sign-in, description, confirmation and end (docs/specification/browser-sessions.md#sessions).
 */
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND } from '../../../../errors/platform-errors.ts';
import type { RequestContext } from '../../../../http/context.ts';
import { csrfTokenOf, requireSameOrigin } from '../../../../http/csrf.ts';
import {
  clearSessionCookie,
  readSessionToken,
  SESSION_TOKEN,
  setSessionCookie,
} from '../../../../http/session-cookie.ts';
import type { SessionContext } from '../../../../http/session-surface.ts';
import type { Platform } from '../../../../platform.ts';
import { generateToken } from '../../../../secrets/tenant-tokens.ts';
import {
  type BrowserSession,
  confirmationExpiry,
  sessionExpiry,
} from '../../../../tenancy/browser-session.ts';
import { findCallerByMembership } from '../../../../tenancy/find-member-caller.ts';
import { getTenant } from '../../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { defaultUnitOf } from '../../../../tenancy/tenant-row.ts';
import { countActiveUnits } from '../../business-units/index.ts';
import {
  type ActiveMembership,
  getPasswordHash,
  getProfile,
  hasPasswordHash,
  listActiveMemberships,
  listAllMemberships,
  type Profile,
  setProfile,
} from '../../memberships/index.ts';
import type { Success } from '../schema.ts';
import { checkPassword, signInError, verifyUser } from '../sign-in.ts';
import {
  deleteBrowserSession,
  deleteBrowserSessionOf,
  insertBrowserSession,
  LISTED_SESSIONS,
  listBrowserSessions,
  setConfirmed,
} from './queries.ts';
import type {
  BrowserSessions,
  BrowserSignIn,
  Confirmed,
  ProfileChange,
  ProfileChanged,
  SessionInfo,
  SessionMembership,
  SessionUser,
} from './schema.ts';

/** Longer texts are cut off. */
const MAX_USER_AGENT = 500;

/**
 * Starts a session in the user's first tenant and sets its cookie. The session of an earlier cookie ends.
 * @throws AppError CSRF_REJECTED, and those of `verifyUser`; UNAUTHORIZED also if the password or the membership
 * changed
 *   meanwhile.
 */
export async function signInBrowser(
  ctx: RequestContext,
  { email, password, remember = false }: BrowserSignIn,
): Promise<SessionInfo> {
  requireSameOrigin(ctx);
  const { user, memberships } = await verifyUser(ctx, { email, password });
  await endEarlierSession(ctx);
  const db = ctx.platform.scoped(wholeTenant(memberships[0].tenant_id));
  const session = await db.transaction(async (tx) => {
    // A password change ends all sessions, so none may start with the old password after it.
    if (!(await hasPasswordHash(tx, user.user_id, user.password_hash))) throw signInError();
    return startSession(ctx, tx, user.user_id, remember);
  });
  if (session === null) throw signInError();
  return describeSession(ctx, db, session);
}

/** Starts a session in the tenant of `db` and sets its cookie. Returns null if the membership was deleted. */
export async function startSession(
  ctx: RequestContext,
  db: ScopedDb,
  userId: string,
  remember: boolean,
): Promise<BrowserSession | null> {
  const { now, client } = ctx;
  const { token, tenantId, digest } = generateToken(SESSION_TOKEN, db.tenantId);
  const { session_hours: idleHours } = await getTenant(db);
  const expiresAt = sessionExpiry({ createdAt: now, remember, idleHours }, now);
  const session = {
    ...{ id: uuidv7(), tenantId, userId, createdAt: now, lastSeenAt: now },
    ...{ expiresAt, confirmedUntil: confirmationExpiry(now), remember, idleHours },
  };
  const { address: ipAddress, userAgent } = client;
  const stored = { ...session, digest, ipAddress, userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null };
  if (!(await insertBrowserSession(db, stored))) return null;
  const maxAgeMs = remember ? expiresAt.getTime() - now.getTime() : undefined;
  setSessionCookie(ctx, token, maxAgeMs);
  return session;
}

/**
 * Continues a session under a new id, after its user has set the password with this hash. It ends instead if the
 * password was changed again, or the membership deleted, meanwhile.
 */
export async function renewSession(ctx: SessionContext, passwordHash: string): Promise<void> {
  const { db, session } = ctx;
  const renewed = await db.transaction(async (tx) =>
    (await hasPasswordHash(tx, session.userId, passwordHash))
      ? startSession(ctx, tx, session.userId, session.remember)
      : null,
  );
  if (renewed === null) clearSessionCookie(ctx);
}

/** Ends the session of the cookie that the browser had before. */
async function endEarlierSession({ platform, headers }: RequestContext): Promise<void> {
  const earlier = readSessionToken(platform, headers);
  if (earlier !== null)
    await deleteBrowserSessionOf(platform.scoped(wholeTenant(earlier.tenantId)), earlier.digest);
}

/** Describes the user of a session and the tenants in which the user may act. */
export async function describeSession(
  { platform }: RequestContext,
  db: ScopedDb,
  session: BrowserSession,
): Promise<SessionInfo> {
  const user = toSessionUser(await getProfile(db, session.userId));
  const active = await listActiveMemberships(platform.database.everyTenant('sign-in'), session.userId);
  const memberships = await Promise.all(
    active.filter(({ isSuspended }) => !isSuspended).map((each) => describeMembership(platform, each)),
  );
  return {
    user,
    memberships: memberships
      .filter((each) => each !== null)
      .toSorted((one, other) => one.tenant_name.localeCompare(other.tenant_name)),
    csrf_token: csrfTokenOf(platform, session.id),
    confirmed_until: session.confirmedUntil.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  };
}

/** Converts a user to the form of replies. */
export function toSessionUser({ user_id, ...profile }: Profile): SessionUser {
  return { id: user_id, ...profile };
}

async function describeMembership(
  platform: Platform,
  { tenant_id, membership_id }: ActiveMembership,
): Promise<SessionMembership | null> {
  const db = platform.scoped(wholeTenant(tenant_id));
  const caller = await findCallerByMembership(db, membership_id);
  // The membership was deactivated meanwhile.
  if (caller === null) return null;
  const { code, name, brand_settings } = await getTenant(db);
  return {
    tenant_id,
    tenant_code: code,
    tenant_name: name,
    brand: brand_settings,
    membership_id,
    is_tenant_admin: caller.isTenantAdmin,
    default_business_unit_id: await defaultUnitOf(db),
    units: caller.units.map(({ buId, isDefault, ...unit }) => ({
      ...unit,
      bu_id: buId,
      is_default: isDefault,
    })),
    has_all_units: caller.isTenantAdmin || caller.units.length === (await countActiveUnits(db)),
  };
}

/** Ends the session of this browser and removes its cookie. */
export async function signOutBrowser(ctx: SessionContext): Promise<Success> {
  await deleteBrowserSession(ctx.db, ctx.session.id, ctx.session.userId);
  clearSessionCookie(ctx);
  return { success: true };
}

/** Lists the sessions of the user in all browsers, the most recently used one first. */
export async function listSessions({ platform, now, session }: SessionContext): Promise<BrowserSessions> {
  const found = await Promise.all(
    (await homesOf(platform, session)).map((db) => listBrowserSessions(db, session.userId, now)),
  );
  const results = found
    .flat()
    .map((each) => ({ ...each, is_current: each.id === session.id }))
    .toSorted((one, other) => other.last_seen_at.localeCompare(one.last_seen_at))
    .slice(0, LISTED_SESSIONS);
  return { results };
}

/** Ends a session of the user, in any browser. @throws AppError NOT_FOUND */
export async function endSession(ctx: SessionContext, id: string): Promise<Success> {
  const { platform, session } = ctx;
  if (!isUuid(id)) throw new AppError(NOT_FOUND);
  for (const db of await homesOf(platform, session)) {
    if (!(await deleteBrowserSession(db, id, session.userId))) continue;
    if (id === session.id) clearSessionCookie(ctx);
    return { success: true };
  }
  throw new AppError(NOT_FOUND);
}

/** Returns the tenants in which sessions of the user may be stored. */
async function homesOf(platform: Platform, { userId }: BrowserSession): Promise<readonly ScopedDb[]> {
  const memberships = await listAllMemberships(platform.database.everyTenant('sign-in'), userId);
  return memberships.map(({ tenant_id }) => platform.scoped(wholeTenant(tenant_id)));
}

/**
 * Verifies the password of the user again, so that sensitive calls are allowed for ten minutes. A wrong one counts as a
 * failed sign-in.
 * @throws AppError INVALID_REQUEST if the password is wrong, RATE_LIMITED.
 */
export async function confirmSession(ctx: SessionContext, password: string): Promise<Confirmed> {
  const { db, session, now } = ctx;
  const passwordHash = await getPasswordHash(db, session.userId);
  const isCorrect = await checkPassword(ctx, session.userId, password, passwordHash);
  if (!isCorrect) throw invalidRequest([{ field: 'password', message: 'is not the current password' }]);
  const confirmedUntil = confirmationExpiry(now);
  await setConfirmed(db, session.id, confirmedUntil);
  return { confirmed_until: confirmedUntil.toISOString() };
}

/** Changes the profile of the user, in all of the user's tenants. */
export async function changeProfile(
  { db, session: { userId } }: SessionContext,
  change: ProfileChange,
): Promise<ProfileChanged> {
  await setProfile(db, userId, change);
  return { user: toSessionUser(await getProfile(db, userId)) };
}
