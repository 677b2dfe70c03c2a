import { AppError } from '../../../errors/app-error.ts';
import { TOKEN_INVALID } from '../../../errors/platform-errors.ts';
import type { AccountFault } from '../../../http/account-form.ts';
import type { RequestContext } from '../../../http/context.ts';
import { maskedAddress } from '../../../mail/address.ts';
import { passwordFault, type User } from '../memberships/index.ts';
import { replacePassword, type Success } from '../sessions/index.ts';
import { findUserByToken } from './token.ts';

const MESSAGE = 'The link to set a new password is no longer valid. Ask for a new one.';

/** Returns the masked address of a link's user. @throws AppError TOKEN_INVALID. */
export async function readReset(ctx: RequestContext, token: string): Promise<{ email_hint: string }> {
  return { email_hint: maskedAddress((await requireUser(ctx, token)).email) };
}

/** Sets a new password, ends all sessions of the user and invalidates the link. @throws AppError TOKEN_INVALID. */
export async function completeReset(ctx: RequestContext, token: string, password: string): Promise<Success> {
  const user = await requireUser(ctx, token);
  // Of two concurrent calls with the same token, the second finds the password changed.
  const newHash = await replacePassword(ctx.platform, user.user_id, password, user.password_hash);
  if (newHash === null) throw invalid();
  return { success: true };
}

/** Content of the reset page. */
export interface ResetSubject {
  readonly emailHint: string;
  readonly state: 'form' | 'done';
  /** Message for an invalid password; null: there is none. */
  readonly fault: AccountFault | null;
}

/** Returns the content of a link's page; null: the link is invalid. Changes nothing. */
export async function findResetSubject(ctx: RequestContext, token: string): Promise<ResetSubject | null> {
  const user = await findUserByToken(ctx.platform, token, ctx.now);
  return user && { emailHint: maskedAddress(user.email), state: 'form', fault: null };
}

/** Processes the form of the page; returns null if the link is invalid. */
export async function submitReset(
  ctx: RequestContext,
  token: string,
  password: string,
): Promise<ResetSubject | null> {
  const subject = await findResetSubject(ctx, token);
  if (subject === null) return null;
  const fault = passwordFault(password);
  if (fault !== null) return { ...subject, fault };
  try {
    await completeReset(ctx, token, password);
    return { ...subject, state: 'done' };
  } catch (error) {
    if (error instanceof AppError && error.definition === TOKEN_INVALID) return null;
    throw error;
  }
}

async function requireUser({ platform, now }: RequestContext, token: string): Promise<User> {
  const user = await findUserByToken(platform, token, now);
  if (user === null) throw invalid();
  return user;
}

function invalid(): AppError {
  return new AppError(TOKEN_INVALID, { message: MESSAGE });
}
