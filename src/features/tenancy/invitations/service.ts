import { AppError } from '../../../errors/app-error.ts';
import { invalidRequest, ruleBroken, TOKEN_INVALID } from '../../../errors/platform-errors.ts';
import type { RequestContext } from '../../../http/context.ts';
import type { OfTenant } from '../../../http/route.ts';
import { hashPassword } from '../../../secrets/passwords.ts';
import { closedTenants } from '../../../tenancy/closed-tenants.ts';
import { getTenant } from '../../../tenancy/find-tenant.ts';
import type { TenantRow } from '../../../tenancy/identity-tables.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import {
  acceptMembership,
  findInvitationBy,
  readToken,
  setPasswordHash,
  setUserName,
  type User,
} from '../memberships/index.ts';
import { type NextTokens, prepareSession, type SignedIn, writeSession } from '../sessions/index.ts';
import type { Acceptance, InvitationInfo } from './schema.ts';

const INVALID_MESSAGE = 'The invitation is no longer valid. Ask for a new one.';

/** The parts of a request context that an invitation needs. */
type InvitationContext = Pick<RequestContext, 'platform' | 'now'>;

/** An invitation that can be accepted. */
export interface OpenInvitation extends OfTenant {
  readonly membershipId: string;
  /** Digest of the token in the link. */
  readonly digest: Buffer;
  readonly user: User;
  readonly tenant: TenantRow;
}

/** Finds the invitation of a link; null: the link is invalid, expired, used, replaced or withdrawn. */
export async function findInvitation(
  { platform, now }: InvitationContext,
  token: string,
): Promise<OpenInvitation | null> {
  const parts = readToken(token);
  if (parts === null) return null;
  const { tenantId, digest } = parts;
  if (closedTenants(platform).has(tenantId)) return null;
  const db = platform.scoped(wholeTenant(tenantId));
  const found = await findInvitationBy(db, digest);
  if (found === undefined || now >= new Date(found.expires_at)) return null;
  const { membership_id: membershipId, user_id, email, name, password_hash } = found;
  const user = { user_id, email, name, password_hash };
  return { tenantId, membershipId, digest, user, tenant: await getTenant(db) };
}

/** True if the user has no password yet, so that accepting sets one. */
export function needsPassword({ user }: OpenInvitation): boolean {
  return user.password_hash === null;
}

/** Describes the invitation of a link. @throws AppError TOKEN_INVALID. */
export async function readInvitation(ctx: InvitationContext, token: string): Promise<InvitationInfo> {
  const invitation = await findInvitation(ctx, token);
  if (invitation === null) throw invalidInvitation();
  const { tenant, user } = invitation;
  return { tenant: tenant.name, email: user.email, needs_password: needsPassword(invitation) };
}

/** A verified acceptance, ready to be stored. */
export interface PreparedAcceptance extends OfTenant {
  readonly invitation: OpenInvitation;
  /** Name and password hash for a user without a password; null: the user has one. */
  readonly account: { readonly name: string; readonly passwordHash: string } | null;
  readonly session: NextTokens;
}

/**
 * Prepares a session, and the account of a user who has no password yet. Name and password of other users stay
 * unchanged, whatever the body contains, because their other tenants must not be affected.
 * @throws AppError TOKEN_INVALID, or INVALID_REQUEST if a required password is missing.
 */
export async function prepareAcceptance(
  ctx: InvitationContext,
  token: string,
  { name, password }: Acceptance,
): Promise<PreparedAcceptance> {
  const invitation = await findInvitation(ctx, token);
  if (invitation === null) throw invalidInvitation();
  const { tenantId, membershipId, user } = invitation;
  if (!needsPassword(invitation)) {
    const session = await prepareSession(ctx, { tenantId, membershipId, user });
    return { tenantId, invitation, account: null, session };
  }
  if (password === undefined)
    throw invalidRequest([{ field: 'password', message: 'is required: the user has no password yet' }]);
  const account = { name: name ?? user.name, passwordHash: await hashPassword(password) };
  const session = await prepareSession(ctx, {
    tenantId,
    membershipId,
    user: { ...user, name: account.name },
  });
  return { tenantId, invitation, account, session };
}

/**
 * Activates the membership, sets up the account and starts a session in this tenant. `db` is a transaction of the
 * tenant.
 * @throws AppError TOKEN_INVALID if the invitation was accepted, withdrawn or sent again meanwhile, and
 * VALIDATION_ERROR if the user has set a password meanwhile.
 */
export async function acceptInvitation(
  { db, now }: { readonly db: ScopedDb; readonly now: Date },
  { invitation, account, session }: PreparedAcceptance,
): Promise<SignedIn> {
  const { user } = invitation;
  if (!(await acceptMembership(db, now, invitation))) throw invalidInvitation();
  if (account !== null) {
    if (!(await setPasswordHash(db, user.user_id, account.passwordHash, null)))
      throw ruleBroken('password', 'was already set with another link. Accept again without a password');
    await setUserName(db, user.user_id, account.name);
  }
  return writeSession({ db, now }, session);
}

function invalidInvitation(): AppError {
  return new AppError(TOKEN_INVALID, { message: INVALID_MESSAGE });
}
