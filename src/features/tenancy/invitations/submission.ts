import { AppError } from '../../../errors/app-error.ts';
import { TOKEN_INVALID, VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import type { AccountFault } from '../../../http/account-form.ts';
import type { RequestContext } from '../../../http/context.ts';
import type { TenantRow } from '../../../tenancy/identity-tables.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { nameFault, passwordFault } from '../memberships/index.ts';
import {
  acceptInvitation,
  findInvitation,
  needsPassword,
  type OpenInvitation,
  prepareAcceptance,
} from './service.ts';

/** Content of the invitation page. */
export interface InvitationSubject {
  readonly tenant: TenantRow;
  readonly email: string;
  readonly name: string;
  readonly needsPassword: boolean;
  readonly state: 'open' | 'accepted';
  /** Errors of the submitted form. */
  readonly faults: { readonly name: AccountFault | null; readonly password: AccountFault | null };
}

const NO_FAULTS = { name: null, password: null };

/** Returns the content of a link's page; null: the link is invalid. Changes nothing. */
export async function findSubject(ctx: RequestContext, token: string): Promise<InvitationSubject | null> {
  const invitation = await findInvitation(ctx, token);
  return invitation && toSubject(invitation);
}

/** Processes the form of the page; returns null if the link is invalid. */
export async function submitAcceptance(
  ctx: RequestContext,
  token: string,
  form: URLSearchParams,
): Promise<InvitationSubject | null> {
  const invitation = await findInvitation(ctx, token);
  if (invitation === null) return null;
  const subject = toSubject(invitation);
  const name = form.get('name') ?? '';
  const password = form.get('password') ?? '';
  if (subject.needsPassword) {
    const faults = { name: nameFault(name), password: passwordFault(password) };
    if (faults.name !== null || faults.password !== null) return { ...subject, name, faults };
  }
  return accept(ctx, token, subject, subject.needsPassword ? { name, password } : {});
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

function toSubject(invitation: OpenInvitation): InvitationSubject {
  const { tenant, user } = invitation;
  return {
    tenant,
    email: user.email,
    name: user.name,
    needsPassword: needsPassword(invitation),
    state: 'open',
    faults: NO_FAULTS,
  };
}
