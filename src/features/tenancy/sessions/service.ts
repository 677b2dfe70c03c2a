import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { TENANT_SUSPENDED, UNAUTHORIZED } from '../../../errors/platform-errors.ts';
import type { RequestContext, TenantContext } from '../../../http/context.ts';
import type { OfTenant } from '../../../http/route.ts';
import type { Platform } from '../../../platform.ts';
import { accessTokens } from '../../../secrets/access-tokens.ts';
import { generateToken, parseToken } from '../../../secrets/tenant-tokens.ts';
import { closedTenants } from '../../../tenancy/closed-tenants.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { findMembership, hasPasswordHash } from '../memberships/index.ts';
import { REFRESH_CONFLICT } from './errors.ts';
import {
  deleteSession,
  findRefreshToken,
  insertRefreshToken,
  insertSession,
  prolongSession,
  spendRefreshToken,
} from './queries.ts';
import type { SignedIn, SignIn, Success } from './schema.ts';
import { findMember, type Member, type SignInContext, signInError } from './sign-in.ts';

const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
/**
 * Grace period after an exchange in which another tab may still use the old refresh token without counting as theft.
 */
const EXCHANGE_GRACE_MS = 10 * 1000;
/** Prefix of refresh tokens. */
const REFRESH_TOKEN = 'tsr';
const INVALID_TOKEN_MESSAGE = 'The refresh token is not valid. Sign in again.';

/** The parts of a request context that sessions need. */
type SessionServices = Pick<RequestContext, 'platform' | 'now'>;

/** Next tokens of a session, created before they are stored. */
export interface NextTokens extends OfTenant {
  readonly sessionId: string;
  readonly membershipId: string;
  readonly digest: Buffer;
  readonly expiresAt: Date;
  readonly answer: SignedIn;
}

/** Tokens of a new session, and the password hash that was verified. */
interface FirstTokens extends NextTokens {
  readonly passwordHash: string | null;
}

/** Creates the tokens of a new session after a sign-in. @throws AppError as findMember. */
export async function prepareSignIn(ctx: SignInContext, body: SignIn): Promise<FirstTokens> {
  const member = await findMember(ctx, body);
  return { ...(await prepareSession(ctx, member)), passwordHash: member.passwordHash };
}

/** Creates the tokens of a new session of an authenticated user. */
export function prepareSession(ctx: SessionServices, member: Member): Promise<NextTokens> {
  return makeTokens(ctx, uuidv7(), member);
}

/**
 * Starts a session. A password change ends all sessions, so none may start with the old password after it.
 * @throws AppError UNAUTHORIZED if the password or the membership changed meanwhile, for example by a reset of the
 * tenant.
 */
export async function beginSession(
  ctx: SessionServices & TenantContext,
  { passwordHash, ...tokens }: FirstTokens,
): Promise<SignedIn> {
  if (!(await hasPasswordHash(ctx.db, tokens.answer.user.id, passwordHash))) throw signInError();
  return writeSession(ctx, tokens);
}

/** Stores a new session and its first refresh token. @throws AppError UNAUTHORIZED if the membership was deleted. */
export async function writeSession(
  { db, now }: Pick<SessionServices, 'now'> & TenantContext,
  { sessionId, membershipId, digest, expiresAt, answer }: NextTokens,
): Promise<SignedIn> {
  if (!(await insertSession(db, { id: sessionId, membershipId }, now, expiresAt))) throw signInError();
  await insertRefreshToken(db, { digest, sessionId }, expiresAt);
  return answer;
}

/** New tokens of a session, and the refresh token that they replace. */
export interface Exchange extends NextTokens {
  readonly spentDigest: Buffer;
}

/**
 * Checks a refresh token. If it arrives after its exchange and the grace period, it counts as stolen, and its session
 * ends.
 * @throws AppError UNAUTHORIZED; TENANT_SUSPENDED; REFRESH_CONFLICT within the grace period.
 */
export async function prepareRefresh(ctx: SessionServices, refreshToken: string): Promise<Exchange> {
  const { platform, now } = ctx;
  const found = await openToken(platform, refreshToken);
  if (found === null) throw new AppError(UNAUTHORIZED, { message: INVALID_TOKEN_MESSAGE });
  const { db, digest, token } = found;
  // Tabs of one browser share a token and refresh within moments of each other: this is not a theft.
  if (token.spent_at !== null && isWithinGrace(new Date(token.spent_at), now))
    throw new AppError(REFRESH_CONFLICT);
  if (token.spent_at !== null) await revokeSession(platform, found);
  const membership = await findMembership(db, token.membership_id);
  const isValid = token.spent_at === null && now < new Date(token.expires_at);
  if (isValid && closedTenants(platform).has(db.tenantId)) throw new AppError(TENANT_SUSPENDED);
  if (!isValid || membership?.status !== 'active')
    throw new AppError(UNAUTHORIZED, { message: INVALID_TOKEN_MESSAGE });
  const member = { tenantId: db.tenantId, membershipId: token.membership_id, user: membership };
  return { ...(await makeTokens(ctx, token.session_id, member)), spentDigest: digest };
}

/**
 * Exchanges a refresh token.
 * @throws AppError UNAUTHORIZED if the session has ended, REFRESH_CONFLICT if another call has just exchanged the
 * token.
 */
export async function refreshSession(
  { db, platform }: SessionServices & TenantContext,
  { sessionId, digest, expiresAt, spentDigest, answer }: Exchange,
): Promise<SignedIn> {
  if (!(await prolongSession(db, sessionId, expiresAt)))
    throw new AppError(UNAUTHORIZED, { message: INVALID_TOKEN_MESSAGE });
  // Use the current time, at which others lose the token, not the start of this call.
  if (!(await spendRefreshToken(db, spentDigest, platform.clock()))) throw new AppError(REFRESH_CONFLICT);
  await insertRefreshToken(db, { digest, sessionId }, expiresAt);
  return answer;
}

/** Ends the session of a refresh token, even a used one; an unknown token has no effect. */
export async function signOut({ platform }: SessionServices, refreshToken: string): Promise<Success> {
  const found = await openToken(platform, refreshToken);
  if (found !== null) await deleteSession(found.db, found.token.session_id);
  return { success: true };
}

function isWithinGrace(spentAt: Date, now: Date): boolean {
  return now.getTime() <= spentAt.getTime() + EXCHANGE_GRACE_MS;
}

async function revokeSession({ observe }: Platform, { db, token }: FoundToken): Promise<void> {
  await deleteSession(db, token.session_id);
  const { membership_id: membershipId } = token;
  observe({ event: 'session.revoked', tenantId: db.tenantId, membershipId, reason: 'token reused' });
}

/** A stored refresh token with its session and user. */
type FoundToken = NonNullable<Awaited<ReturnType<typeof openToken>>>;

async function openToken(platform: Platform, refreshToken: string) {
  const parts = parseToken(REFRESH_TOKEN, refreshToken);
  if (parts === null) return null;
  const { tenantId, digest } = parts;
  const db = platform.scoped(wholeTenant(tenantId));
  const token = await findRefreshToken(db, digest);
  return token === undefined ? null : { db, digest, token };
}

async function makeTokens(
  { platform, now }: SessionServices,
  sessionId: string,
  { tenantId, membershipId, user }: Member,
): Promise<NextTokens> {
  const { user_id: userId, email, name } = user;
  const token = await accessTokens(platform).sign({ userId, tenantId, membershipId, sessionId }, now);
  const { token: refreshToken, digest } = generateToken(REFRESH_TOKEN, tenantId);
  return {
    tenantId,
    sessionId,
    membershipId,
    digest,
    expiresAt: new Date(now.getTime() + LIFETIME_MS),
    answer: { token, refresh_token: refreshToken, user: { id: userId, email, name } },
  };
}
