/**
 * The surfaces of signed-in users as members of a tenant, by the cookie of a browser session: `console` serves the
 * routes of API keys, `console-records` those of access tokens (docs/specification/browser-sessions.md#calls).
 */

import { AppError } from '../errors/app-error.ts';
import {
  CONFIRMATION_REQUIRED,
  CSRF_REJECTED,
  FORBIDDEN,
  INVALID_BUSINESS_UNIT,
  INVALID_REQUEST,
  NOT_FOUND,
  RATE_LIMITED,
  TENANT_REQUIRED,
  TENANT_SUSPENDED,
  UNAUTHORIZED,
} from '../errors/platform-errors.ts';
import type { BrowserSession } from '../tenancy/browser-session.ts';
import { listTenantCodes, type SessionMember } from '../tenancy/find-browser-session.ts';
import type { Access } from './access.ts';
import { admit } from './admission.ts';
import { asksForRecords } from './bearer-surface.ts';
import type { BearerContext, MemberContext, RequestContext } from './context.ts';
import { requireCsrfToken } from './csrf.ts';
import { countAgainstQuota, fullQuota, QUOTA_HEADERS, SESSION_QUOTA } from './request-quota.ts';
import { isWithCookieOnly } from './session-cookie.ts';
import { SESSION_SECURITY } from './session-surface.ts';
import { authenticateSession } from './session-use.ts';
import { type AuthenticatedRoute, isBelow, type Surface } from './surface.ts';

/** A request of a signed-in user as a member of a tenant. */
export interface ConsoleContext extends BearerContext {
  readonly session: BrowserSession;
}

/** The surface for the routes of the platform. */
export const consoleSurface: Surface<ConsoleContext> = {
  name: 'console',
  takes: (request) => isBelow('/api', request) && isWithCookieOnly(request) && !asksForRecords(request),
  authenticate: (_request, base, route) => authenticateMember(base, route),
  identify: ({ caller, session }) => ({
    tenantId: caller.tenantId,
    caller: `session ${session.id}`,
    unit: caller.activeUnitId ?? '',
  }),
  envelope: 'plain',
  isForSessions: true,
  security: SESSION_SECURITY,
  headers: [],
  errors: errorsOf,
};

/** The surface for entity records, with their formats and an hourly limit for each session. */
export const consoleRecordsSurface: Surface<ConsoleContext> = {
  ...consoleSurface,
  name: 'console-records',
  takes: (request) => isBelow('/api', request) && isWithCookieOnly(request) && asksForRecords(request),
  authenticate: async (_request, base, route) => {
    const ctx = await authenticateMember(base, route);
    await countAgainstQuota(base, `session ${ctx.session.id}`, SESSION_QUOTA);
    return ctx;
  },
  identify: ({ caller, session }) => ({
    tenantId: caller.tenantId,
    // Not that of `consoleSurface`, which has other routes at the same addresses.
    caller: `session ${session.id} records`,
    unit: caller.activeUnitId ?? '',
  }),
  envelope: 'entity',
  responseHeaders: {
    described: QUOTA_HEADERS,
    forUnauthenticated: (platform) => fullQuota(platform, SESSION_QUOTA),
  },
};

/** @throws AppError of {@link errorsOf}, or NOT_FOUND if the user is not a member of the named tenant. */
async function authenticateMember(base: RequestContext, route: AuthenticatedRoute): Promise<ConsoleContext> {
  const { headers } = base;
  const code = headers['x-tenant'] === undefined ? null : String(headers['x-tenant']);
  const { session, member } = await authenticateSession(base, code);
  requireCsrfToken(base, session.id, route);
  const found = code === null ? await findOnlyMember(base, session) : member;
  if (found === null) throw new AppError(NOT_FOUND, { message: NO_MEMBER });
  if (found.isSuspended) throw new AppError(TENANT_SUSPENDED);
  const admitted = admit(base, found.caller, route, { acceptsUnitIds: true });
  const ctx = { ...admitted, entityRevision: found.entityRevision, session };
  if (route.needsConfirmation) requireConfirmation(ctx);
  return ctx;
}

/** @throws AppError CONFIRMATION_REQUIRED in a session whose user has not entered the password lately. */
export function requireConfirmation(ctx: MemberContext | ConsoleContext): void {
  if ('session' in ctx && ctx.now >= ctx.session.confirmedUntil) throw new AppError(CONFIRMATION_REQUIRED);
}

const NO_MEMBER = 'You are not a member of the tenant in X-Tenant. GET /auth/session lists your tenants.';

/** Finds the membership of a user who has one tenant. @throws AppError TENANT_REQUIRED, UNAUTHORIZED without any. */
async function findOnlyMember(
  base: RequestContext,
  { userId }: BrowserSession,
): Promise<SessionMember | null> {
  const [code, ...others] = await listTenantCodes(base.platform, userId);
  if (code === undefined)
    throw new AppError(UNAUTHORIZED, { message: 'You are no longer a member of any tenant.' });
  if (others.length > 0) throw new AppError(TENANT_REQUIRED);
  return (await authenticateSession(base, code)).member;
}

function errorsOf(access: Access) {
  return [
    UNAUTHORIZED,
    CSRF_REJECTED,
    TENANT_REQUIRED,
    TENANT_SUSPENDED,
    INVALID_BUSINESS_UNIT,
    INVALID_REQUEST,
    RATE_LIMITED,
    ...(access === 'member' ? [] : [FORBIDDEN]),
  ];
}
