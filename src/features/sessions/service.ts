import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../errors/app-error.ts';
import { TENANT_SUSPENDED, UNAUTHORIZED } from '../../errors/platform-errors.ts';
import type { RequestContext, TenantContext } from '../../http/context.ts';
import type { OfTenant } from '../../http/route.ts';
import type { Platform } from '../../platform.ts';
import { accessTokens } from '../../secrets/access-tokens.ts';
import { generateToken, parseToken } from '../../secrets/tenant-tokens.ts';
import { closedTenants } from '../../tenancy/closed-tenants.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { findMembership, holdsPasswordHash } from '../memberships/index.ts';
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
import { type Client, findMember, type Member, refused } from './sign-in.ts';

const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
/** How long after its exchange a refresh token may still arrive from another tab without counting as copied. */
const EXCHANGE_GRACE_MS = 10 * 1000;
/** What refresh tokens begin with. */
const REFRESH_TOKEN = 'tsr';
const NOT_GOOD = 'The refresh token is not valid. Sign in again.';

/** What sessions need of a request. */
type Moment = Pick<RequestContext, 'platform' | 'now'>;

/** A session's next tokens, made before they are written. */
export interface NextTokens extends OfTenant {
  readonly sessionId: string;
  readonly membershipId: string;
  readonly digest: Buffer;
  readonly expiresAt: Date;
  readonly answer: SignedIn;
}

/** The tokens of a session that may begin, and the password hash that let the person in. */
interface FirstTokens extends NextTokens {
  readonly passwordHash: string | null;
}

/** The tokens of a session that may begin. @throws AppError as findMember. */
export async function prepareSignIn(ctx: Client, body: SignIn): Promise<FirstTokens> {
  const member = await findMember(ctx, body);
  return { ...(await prepareSession(ctx, member)), passwordHash: member.passwordHash };
}

/** The tokens of a new session of a person who was let in. */
export function prepareSession(ctx: Moment, member: Member): Promise<NextTokens> {
  return makeTokens(ctx, uuidv7(), member);
}

/**
 * Begins a session. A change of the password ends all sessions, so none may begin with the old one after it.
 * @throws AppError UNAUTHORIZED when the password or the membership has changed meanwhile, as by a reset of the tenant.
 */
export async function beginSession(
  ctx: Moment & TenantContext,
  { passwordHash, ...tokens }: FirstTokens,
): Promise<SignedIn> {
  if (!(await holdsPasswordHash(ctx.db, tokens.answer.user.id, passwordHash))) throw refused();
  return writeSession(ctx, tokens);
}

/** Writes a new session and its first refresh token. @throws AppError UNAUTHORIZED when the membership is gone. */
export async function writeSession(
  { db, now }: Pick<Moment, 'now'> & TenantContext,
  { sessionId, membershipId, digest, expiresAt, answer }: NextTokens,
): Promise<SignedIn> {
  if (!(await insertSession(db, { id: sessionId, membershipId }, now, expiresAt))) throw refused();
  await insertRefreshToken(db, { digest, sessionId }, expiresAt);
  return answer;
}

/** The tokens that a session may go on with, and the one that they replace. */
export interface Exchange extends NextTokens {
  readonly spentDigest: Buffer;
}

/**
 * Checks a refresh token. A token that arrives later than the grace period after its exchange has been copied: its session
 * ends. @throws AppError UNAUTHORIZED; TENANT_SUSPENDED; REFRESH_CONFLICT when another call exchanged it within the grace period.
 */
export async function prepareRefresh(ctx: Moment, refreshToken: string): Promise<Exchange> {
  const { platform, now } = ctx;
  const found = await openToken(platform, refreshToken);
  if (found === null) throw new AppError(UNAUTHORIZED, { message: NOT_GOOD });
  const { db, digest, token } = found;
  // Tabs of one browser share a token and refresh within moments of each other: nobody has copied it.
  if (token.spent_at !== null && isWithinGrace(new Date(token.spent_at), now))
    throw new AppError(REFRESH_CONFLICT);
  if (token.spent_at !== null) await revokeSession(platform, found);
  const membership = await findMembership(db, token.membership_id);
  const isGood = token.spent_at === null && now < new Date(token.expires_at);
  if (isGood && closedTenants(platform).has(db.tenantId)) throw new AppError(TENANT_SUSPENDED);
  if (!isGood || membership?.status !== 'active') throw new AppError(UNAUTHORIZED, { message: NOT_GOOD });
  const member = { tenantId: db.tenantId, membershipId: token.membership_id, person: membership };
  return { ...(await makeTokens(ctx, token.session_id, member)), spentDigest: digest };
}

/**
 * Exchanges a refresh token.
 * @throws AppError UNAUTHORIZED when the session has ended meanwhile, REFRESH_CONFLICT when another call has just done the same.
 */
export async function refreshSession(
  { db, platform }: Moment & TenantContext,
  { sessionId, digest, expiresAt, spentDigest, answer }: Exchange,
): Promise<SignedIn> {
  if (!(await prolongSession(db, sessionId, expiresAt)))
    throw new AppError(UNAUTHORIZED, { message: NOT_GOOD });
  // The moment at which others lose it, not that at which this call began.
  if (!(await spendRefreshToken(db, spentDigest, platform.clock()))) throw new AppError(REFRESH_CONFLICT);
  await insertRefreshToken(db, { digest, sessionId }, expiresAt);
  return answer;
}

/** Ends the session of a refresh token, whatever has become of the token; of one that is unknown there is nothing to end. */
export async function signOut({ platform }: Moment, refreshToken: string): Promise<Success> {
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

/** A refresh token that was given out once, in the rows of its tenant. */
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
  { platform, now }: Moment,
  sessionId: string,
  { tenantId, membershipId, person }: Member,
): Promise<NextTokens> {
  const { user_id: userId, email, name } = person;
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
