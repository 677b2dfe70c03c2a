/** Password changes by users, by reset links and by the operator. Each one ends all sessions of the user. */
import { AppError } from '../../../errors/app-error.ts';
import { INVALID_REQUEST, invalidRequest, NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { BearerContext } from '../../../http/context.ts';
import type { SessionContext } from '../../../http/session-surface.ts';
import { compileBodyCheck } from '../../../http/validation.ts';
import type { Platform } from '../../../platform.ts';
import { generatePassword, hashPassword } from '../../../secrets/passwords.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import {
  findUserByEmail,
  getPasswordHash,
  listAllMemberships,
  setPasswordHash,
} from '../memberships/index.ts';
import { deleteBrowserSessionsOf } from './browser/queries.ts';
import { renewSession } from './browser/service.ts';
import { deleteSessionsOf } from './queries.ts';
import { type PasswordChange, type PasswordSet, PasswordSetBody, type Success } from './schema.ts';
import { checkPassword } from './sign-in.ts';

const checkBody = compileBodyCheck(PasswordSetBody, INVALID_REQUEST);

/**
 * Changes the password of the signed-in user, and continues a browser session under a new id. A wrong current password
 * counts as a failed sign-in.
 * @throws AppError INVALID_REQUEST if the current password is wrong, RATE_LIMITED.
 */
export async function changePassword(
  ctx: BearerContext | SessionContext,
  { current_password, password }: PasswordChange,
): Promise<Success> {
  const { platform, db } = ctx;
  const { userId } = 'session' in ctx ? ctx.session : ctx.caller;
  const passwordHash = await getPasswordHash(db, userId);
  if (!(await checkPassword(ctx, userId, current_password, passwordHash)))
    throw invalidRequest([{ field: 'current_password', message: 'is not the current password' }]);
  const newHash = await replacePassword(platform, userId, password);
  if ('session' in ctx && newHash !== null) await renewSession(ctx, newHash);
  return { success: true };
}

/** Sets the password of a user, a random one by default. @throws AppError NOT_FOUND for an unknown address. */
export async function setPassword(
  platform: Platform,
  { email, password = generatePassword() }: PasswordSetBody,
): Promise<PasswordSet> {
  const user = await findUserByEmail(platform.database.everyTenant('sign-in'), email);
  if (user === undefined)
    throw new AppError(NOT_FOUND, { message: 'No user has this email address. Check its spelling.' });
  if ((await replacePassword(platform, user.user_id, password)) === null) throw new AppError(NOT_FOUND);
  return { email: user.email, password };
}

/** Sets a password from the command line, with the checks of the API. @throws AppError INVALID_REQUEST, NOT_FOUND. */
export async function setPasswordByOperator(platform: Platform, body: PasswordSetBody): Promise<PasswordSet> {
  checkBody(body, platform.clock());
  return setPassword(platform, body);
}

/**
 * Replaces a user's password and ends all their sessions. Returns the hash of the new one; null without changes if the
 * user has no membership, or if `expectedHash` is not the hash of the current password.
 */
export async function replacePassword(
  platform: Platform,
  userId: string,
  password: string,
  expectedHash?: string | null,
): Promise<string | null> {
  const hash = await hashPassword(password);
  const memberships = await listAllMemberships(platform.database.everyTenant('sign-in'), userId);
  const locations = memberships.map(({ tenant_id, membership_id }) => ({
    db: platform.scoped(wholeTenant(tenant_id)),
    membership_id,
  }));
  const [first] = locations;
  if (first === undefined || !(await setPasswordHash(first.db, userId, hash, expectedHash))) return null;
  for (const { db, membership_id } of locations) {
    await deleteSessionsOf(db, membership_id);
    await deleteBrowserSessionsOf(db, userId);
  }
  return hash;
}
