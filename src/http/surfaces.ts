import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import {
  FORBIDDEN,
  INVALID_BUSINESS_UNIT,
  INVALID_REQUEST,
  TENANT_SUSPENDED,
  UNAUTHORIZED,
} from '../errors/platform-errors.ts';
import { digestsEqual } from '../secrets/api-keys.ts';
import { admit } from './admission.ts';
import { bearerSurface } from './bearer-surface.ts';
import { consoleRecordsSurface, consoleSurface } from './console-surface.ts';
import type { MemberContext, OperatorContext, RequestContext } from './context.ts';
import { conversationSurface } from './conversation-surface.ts';
import { hookSurface } from './hook-surface.ts';
import { authenticateKey } from './key-use.ts';
import type { Route } from './route.ts';
import { sessionSurface } from './session-surface.ts';
import { isBelow, isForMembers, type Surface } from './surface.ts';

/** The surface without credentials: pages, pixels, scripts, health. */
export const publicSurface: Surface<RequestContext> = {
  name: 'public',
  takes: () => true,
  authenticate: (_request, base) => base,
  identify: ({ client }) => ({ tenantId: null, caller: `public ${client.address}`, unit: '' }),
  envelope: 'plain',
  security: null,
  headers: [],
  errors: () => [],
};

/** The operator's surface, by the ADMIN_TOKEN. */
export const operatorSurface: Surface<OperatorContext> = {
  name: 'operator',
  takes: (request) => isBelow('/admin', request),
  authenticate: (request, base) => {
    const expected = Buffer.from(base.platform.config.adminToken);
    // The scheme's name is case-insensitive (RFC 9110, 11.1).
    const given = Buffer.from(/^Bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '');
    if (!digestsEqual(given, expected)) {
      throw new AppError(UNAUTHORIZED, { message: 'The operator token is missing or invalid.' });
    }
    return { ...base, operator: true };
  },
  identify: () => ({ tenantId: null, caller: 'operator', unit: '' }),
  envelope: 'plain',
  // A reset deletes all data of a tenant.
  workKind: 'job',
  security: { name: 'Operator', scheme: { type: 'http', scheme: 'bearer', description: 'The ADMIN_TOKEN.' } },
  headers: [],
  errors: () => [UNAUTHORIZED],
};

/** The surface of a tenant's members, by API key. */
export const memberSurface: Surface<MemberContext> = {
  name: 'member',
  takes: isForMembers,
  authenticate: authenticateMember,
  identify: ({ caller }) => ({
    tenantId: caller.tenantId,
    caller: caller.membershipId,
    unit: caller.activeUnitId ?? '',
  }),
  envelope: 'plain',
  security: { name: 'ApiKey', scheme: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
  otherSecurity: () => ['Session'],
  headers: [{ name: 'X-Business-Unit', description: 'Token of the active business unit.' }],
  errors: (access) => [
    UNAUTHORIZED,
    TENANT_SUSPENDED,
    INVALID_BUSINESS_UNIT,
    INVALID_REQUEST,
    ...(access === 'member' ? [] : [FORBIDDEN]),
  ],
};

/** All surfaces, in the order in which a request is matched. */
export const SURFACES: readonly Surface[] = [
  operatorSurface,
  hookSurface,
  conversationSurface,
  sessionSurface,
  consoleSurface,
  consoleRecordsSurface,
  bearerSurface,
  memberSurface,
  publicSurface,
];

/** Returns the surfaces that serve a route, including those of browser sessions. */
export function servingSurfaces(route: Pick<Route, 'access' | 'surfaces' | 'path'>): readonly Surface[] {
  return surfacesOf(route).flatMap((surface) => [surface, ...surfacesForSessions(surface, route)]);
}

/** Returns the surface on which browser sessions call a route of another surface. */
function surfacesForSessions(surface: Surface, { path }: Pick<Route, 'path'>): readonly Surface[] {
  if (surface === bearerSurface) return [path.startsWith('/api/') ? consoleRecordsSurface : sessionSurface];
  return surface === memberSurface ? [consoleSurface] : [];
}

/** Returns the surfaces that document a route: those it names, else the one for its access. */
export function surfacesOf({ access, surfaces }: Pick<Route, 'access' | 'surfaces'>): readonly Surface[] {
  if (surfaces) return surfaces;
  if (access === 'public') return [publicSurface];
  return [access === 'operator' ? operatorSurface : memberSurface];
}

async function authenticateMember(
  _request: FastifyRequest,
  base: RequestContext,
  route: Pick<Route, 'access' | 'params'>,
): Promise<MemberContext> {
  const { caller } = await authenticateKey(base);
  return admit(base, caller, route);
}
