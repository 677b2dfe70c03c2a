/**
 * The surface of signed-in users about their own account, by the cookie of a browser session. It belongs to no tenant:
 * the user may have several (docs/specification/browser-sessions.md#sessions).
 */
import type { IncomingMessage } from 'node:http';
import type { TObject, TSchema } from 'typebox';
import { CSRF_REJECTED, INVALID_REQUEST, RATE_LIMITED, UNAUTHORIZED } from '../errors/platform-errors.ts';
import type { BrowserSession } from '../tenancy/browser-session.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import type { RequestContext, TenantContext } from './context.ts';
import { requireCsrfToken } from './csrf.ts';
import type { InputOf, Route, RouteFacts, Work } from './route.ts';
import { isWithCookieOnly } from './session-cookie.ts';
import { authenticateSession } from './session-use.ts';
import { isBelow, type Surface } from './surface.ts';

/** A request of a signed-in user. `db` is the tenant in which the session is stored. */
export interface SessionContext extends RequestContext, TenantContext {
  readonly session: BrowserSession;
}

/** Paths that accept no other credential. */
const OWN_PATHS = ['/auth/session', '/auth/sessions', '/auth/profile'];
/** A path that access tokens call as well. */
const SHARED_PATH = '/auth/password';

/** The credential of browser sessions. */
export const SESSION_SECURITY = {
  name: 'Session',
  scheme: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-tessera',
    description:
      'Browser session from `POST /auth/session`. Calls other than reads also need the header `X-CSRF-Token`, calls below `/api` the header `X-Tenant` with the code of a tenant, calls about entity records `X-Tessera-Surface: records`.',
  },
} as const;

/** The surface of sessions: the user and their sessions. */
export const sessionSurface: Surface<SessionContext> = {
  name: 'session',
  takes: (request: IncomingMessage) =>
    OWN_PATHS.some((path) => isBelow(path, request)) ||
    (isBelow(SHARED_PATH, request) && isWithCookieOnly(request)),
  authenticate: async (_request, base, route) => {
    const { session } = await authenticateSession(base, null);
    requireCsrfToken(base, session.id, route);
    return { ...base, session, db: base.platform.scoped(wholeTenant(session.tenantId)) };
  },
  identify: ({ session: { id, tenantId } }) => ({ tenantId, caller: `session ${id}`, unit: '' }),
  envelope: 'plain',
  isForSessions: true,
  security: SESSION_SECURITY,
  headers: [],
  errors: () => [UNAUTHORIZED, CSRF_REJECTED, INVALID_REQUEST, RATE_LIMITED],
};

/** Declares a route of this surface. */
export function defineSessionRoute<
  R extends TSchema,
  Prepared,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(
  route: Omit<RouteFacts<'public', P, Q, B>, 'surfaces' | 'cors' | 'access'> &
    Work<SessionContext, InputOf<P, Q, B, undefined>, R, Prepared>,
): Route;
export function defineSessionRoute(route: Omit<Route, 'access'>): Route {
  return { ...route, access: 'public', surfaces: [sessionSurface] };
}
