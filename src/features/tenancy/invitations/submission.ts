import { AppError } from '../../../errors/app-error.ts';
import { RATE_LIMITED, TOKEN_INVALID, VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import type { AccountFault } from '../../../http/account-form.ts';
import type { RequestContext } from '../../../http/context.ts';
import { requireSameOrigin } from '../../../http/csrf.ts';
import { findSession } from '../../../http/session-use.ts';
import type { TenantRow } from '../../../tenancy/identity-tables.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { nameFault, passwordFault } from '../memberships/index.ts';
import { checkPassword } from '../sessions/index.ts';
import {
  acceptInvitation,
  findInvitation,
  needsPassword,
  type OpenInvitation,
  prepareAcceptance,
} from './service.ts';

/**
 * How the user accepts: a `new` one sets name and password, one who is signed in in this browser presses a button
 * (`current`), any other user enters their password (`known`).
 */
export type InvitedAccount = 'new' | 'current' | 'known';

/** Content of the invitation page. */
export interface InvitationSubject {
  readonly tenant: TenantRow;
  readonly email: string;
  readonly name: string;
  readonly account: InvitedAccount;
  readonly state: 'open' | 'accepted';
  /** Errors of the submitted form. */
  readonly faults: { readonly name: AccountFault | null; readonly password: AccountFault | null };
  /** The reason why the password of a known user was refused. */
  readonly refusal: PasswordRefusal | null;
}

/** A wrong password, or the seconds to wait after too many of them. */
export type PasswordRefusal = 'wrong' | { readonly waitSeconds: number };

const NO_FAULTS = { name: null, password: null };

/** Returns the content of a link's page; null: the link is invalid. Changes nothing. */
export async function findSubject(ctx: RequestContext, token: string): Promise<InvitationSubject | null> {
  const invitation = await findInvitation(ctx, token);
  return invitation && toSubject(ctx, invitation);
}

/**
 * Processes the form of the page; returns null if the link is invalid.
 * @throws AppError CSRF_REJECTED for a form of another site with the cookie of the user.
 */
export async function submitAcceptance(
  ctx: RequestContext,
  token: string,
  form: URLSearchParams,
): Promise<InvitationSubject | null> {
  const invitation = await findInvitation(ctx, token);
  if (invitation === null) return null;
  const subject = await toSubject(ctx, invitation);
  const name = form.get('name') ?? '';
  const password = form.get('password') ?? '';
  if (subject.account === 'new') {
    const faults = { name: nameFault(name), password: passwordFault(password) };
    if (faults.name !== null || faults.password !== null) return { ...subject, name, faults };
  }
  if (subject.account === 'current') requireSameOrigin(ctx);
  if (subject.account === 'known') {
    const refusal = await refusePassword(ctx, invitation, password);
    if (refusal !== null) return { ...subject, refusal };
  }
  return accept(ctx, token, subject, subject.account === 'new' ? { name, password } : {});
}

/** Verifies the password of a known user. A wrong one counts as a failed sign-in. */
async function refusePassword(
  ctx: RequestContext,
  { user }: OpenInvitation,
  password: string,
): Promise<PasswordRefusal | null> {
  try {
    return (await checkPassword(ctx, user.user_id, password, user.password_hash)) ? null : 'wrong';
  } catch (error) {
    if (!(error instanceof AppError) || error.definition !== RATE_LIMITED) throw error;
    return { waitSeconds: error.retryAfterSeconds ?? 60 };
  }
}

async function accept(
  ctx: RequestContext,
  token: string,
  subject: InvitationSubject,
  account: { readonly name?: string; readonly password?: string },
): Promise<InvitationSubject | null> {
  const { platform, now } = ctx;
  try {
    const prepared = await prepareAcceptance(ctx, token, account);
    const db = platform.scoped(wholeTenant(prepared.tenantId));
    await db.transaction((tx) => acceptInvitation({ db: tx, now }, prepared));
    return { ...subject, state: 'accepted' };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.definition === TOKEN_INVALID) return null;
    // Meanwhile the user has set a password through another link.
    if (error.definition === VALIDATION_ERROR) return findSubject(ctx, token);
    throw error;
  }
}

async function toSubject(ctx: RequestContext, invitation: OpenInvitation): Promise<InvitationSubject> {
  const { tenant, user } = invitation;
  return {
    tenant,
    email: user.email,
    name: user.name,
    account: await accountOf(ctx, invitation),
    state: 'open',
    faults: NO_FAULTS,
    refusal: null,
  };
}

async function accountOf(ctx: RequestContext, invitation: OpenInvitation): Promise<InvitedAccount> {
  if (needsPassword(invitation)) return 'new';
  const session = await findSession(ctx);
  return session?.userId === invitation.user.user_id ? 'current' : 'known';
}
