import { AppError } from '../../../errors/app-error.ts';
import { invalidRequest, TENANT_SUSPENDED, UNAUTHORIZED } from '../../../errors/platform-errors.ts';
import type { RequestContext } from '../../../http/context.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { generatePassword, hashPassword, verifyPassword } from '../../../secrets/passwords.ts';
import { findUserByEmail, listActiveMemberships, type User } from '../memberships/index.ts';
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
export type Client = Pick<RequestContext, 'platform' | 'now' | 'client'>;

/** Returns the error of any failed sign-in; neither its text nor its timing reveals the reason. */
export function signInError(): AppError {
  return new AppError(UNAUTHORIZED, { message: 'Incorrect email address or password.' });
}

/**
 * Identifies the user by address and password, and the tenant.
 * @throws AppError UNAUTHORIZED, RATE_LIMITED, TENANT_SUSPENDED, or INVALID_REQUEST if the user has several and names none.
 */
export async function findMember(
  { platform, client }: Client,
  { email, password, tenant_code }: SignIn,
): Promise<SignedInMember> {
  const all = platform.database.everyTenant('sign-in');
  const found = await findUserByEmail(all, email);
  const attempt = { account: found?.user_id ?? email.toLowerCase(), clientAddress: client.address };
  const memberships = await attempts(platform)(attempt, async () => {
    const isCorrect = await isPasswordOf(platform, password, found?.password_hash ?? null);
    if (!isCorrect || found === undefined) return null;
    const active = await listActiveMemberships(all, found.user_id, tenant_code);
    return active.length === 0 ? null : { user: found, active };
  });
  if (memberships === null) throw signInError();
  const { user, active } = memberships;
  const [first, ...others] = active.filter(({ isSuspended }) => !isSuspended);
  if (first === undefined) throw new AppError(TENANT_SUSPENDED);
  if (others.length > 0)
    throw invalidRequest([{ field: 'tenant_code', message: 'is required: you belong to several tenants' }]);
  return {
    tenantId: first.tenant_id,
    membershipId: first.membership_id,
    user,
    passwordHash: user.password_hash,
  };
}

/** Compares a password with a user's hash. Without a hash it returns false after the same time. */
export async function isPasswordOf(
  platform: Platform,
  password: string,
  passwordHash: string | null,
): Promise<boolean> {
  const isCorrect = await verifyPassword(password, passwordHash ?? (await nobodysHash(platform)));
  return isCorrect && passwordHash !== null;
}

/** Hash that is compared for an unknown address or a user without a password. */
const nobodysHash = oncePerPlatform(() => hashPassword(generatePassword()));
