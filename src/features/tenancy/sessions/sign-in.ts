import { AppError } from '../../../errors/app-error.ts';
import { invalidRequest, TENANT_SUSPENDED, UNAUTHORIZED } from '../../../errors/platform-errors.ts';
import type { RequestContext } from '../../../http/context.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { generatePassword, hashPassword, verifyPassword } from '../../../secrets/passwords.ts';
import {
  type ActiveMembership,
  findUserByEmail,
  listActiveMemberships,
  type User,
} from '../memberships/index.ts';
import { attempts } from './attempts.ts';
import type { SignIn } from './schema.ts';

/** A user in a tenant. */
export interface Member {
  readonly tenantId: string;
  readonly membershipId: string;
  readonly user: Pick<User, 'user_id' | 'email' | 'name'>;
}

/** A user in a tenant with a verified password. */
export interface SignedInMember extends Member {
  readonly passwordHash: string | null;
}

/** The parts of a request context that a sign-in needs. */
export type SignInContext = Pick<RequestContext, 'platform' | 'now' | 'client'>;

/** Returns the error of any failed sign-in; neither its text nor its timing reveals the reason. */
export function signInError(): AppError {
  return new AppError(UNAUTHORIZED, { message: 'Incorrect email address or password.' });
}

/** A user with a verified password, and the active memberships in tenants that are not suspended, oldest first. */
export interface VerifiedUser {
  readonly user: User;
  readonly memberships: readonly [ActiveMembership, ...ActiveMembership[]];
}

/**
 * Identifies the user by address and password, and the tenant.
 * @throws AppError UNAUTHORIZED, RATE_LIMITED, TENANT_SUSPENDED, or INVALID_REQUEST if the user belongs to several
 * tenants and `tenant_code` is absent.
 */
export async function findMember(ctx: SignInContext, credentials: SignIn): Promise<SignedInMember> {
  const { user, memberships } = await verifyUser(ctx, credentials);
  const [first, ...others] = memberships;
  if (others.length > 0)
    throw invalidRequest([{ field: 'tenant_code', message: 'is required: you belong to several tenants' }]);
  return {
    tenantId: first.tenant_id,
    membershipId: first.membership_id,
    user,
    passwordHash: user.password_hash,
  };
}

/**
 * Identifies the user by address and password; with `tenant_code` only as a member of that tenant.
 * @throws AppError UNAUTHORIZED, RATE_LIMITED, or TENANT_SUSPENDED if all tenants of the user are suspended.
 */
export async function verifyUser(
  { platform, client }: SignInContext,
  { email, password, tenant_code }: SignIn,
): Promise<VerifiedUser> {
  const all = platform.database.everyTenant('sign-in');
  const found = await findUserByEmail(all, email);
  const attempt = { account: found?.user_id ?? email.toLowerCase(), clientAddress: client.address };
  const verified = await attempts(platform)(attempt, async () => {
    const isCorrect = await isPasswordOf(platform, password, found?.password_hash ?? null);
    if (!isCorrect || found === undefined) return null;
    const active = await listActiveMemberships(all, found.user_id, tenant_code);
    return active.length === 0 ? null : { user: found, active };
  });
  if (verified === null) throw signInError();
  const { user, active } = verified;
  const [first, ...others] = active
    .filter(({ isSuspended }) => !isSuspended)
    // Ids begin with the time of creation.
    .toSorted((one, other) => (one.membership_id < other.membership_id ? -1 : 1));
  if (first === undefined) throw new AppError(TENANT_SUSPENDED);
  return { user, memberships: [first, ...others] };
}

/** Compares a password with a user's hash. Without a hash it returns false after the same time. */
async function isPasswordOf(
  platform: Platform,
  password: string,
  passwordHash: string | null,
): Promise<boolean> {
  // Both cases wait for the first hash of a process.
  const otherHash = await dummyHash(platform);
  const isCorrect = await verifyPassword(password, passwordHash ?? otherHash);
  return isCorrect && passwordHash !== null;
}

/** Verifies the password of a signed-in user. A wrong one counts as a failed sign-in. @throws AppError RATE_LIMITED */
export async function checkPassword(
  { platform, client }: SignInContext,
  userId: string,
  password: string,
  passwordHash: string | null,
): Promise<boolean> {
  const attempt = { account: userId, clientAddress: client.address };
  const verified = await attempts(platform)(attempt, async () =>
    (await isPasswordOf(platform, password, passwordHash)) ? true : null,
  );
  return verified !== null;
}

/** Hash that is compared for an unknown address or a user without a password, so that the response takes as long. */
const dummyHash = oncePerPlatform(() => hashPassword(generatePassword()));
