/**
 * The surface of entity records: people who have signed in, and services with an API key
 * (docs/specification/records.md#signing-in).
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import {
  FORBIDDEN,
  INVALID_BUSINESS_UNIT,
  INVALID_REQUEST,
  RATE_LIMITED,
  TENANT_SUSPENDED,
  UNAUTHORIZED,
} from '../errors/platform-errors.ts';
import { findEntityRevision } from '../tenancy/entity-revision.ts';
import { findCallerByAccessToken } from '../tenancy/find-session-caller.ts';
import { admit } from './admission.ts';
import type { BearerContext, RequestContext } from './context.ts';
import { authenticateKey } from './key-use.ts';
import { countAgainstQuota, fullQuota, QUOTA_HEADERS, USER_QUOTA } from './request-quota.ts';
import type { Route } from './route.ts';
import { isBelow, isForMembers, type ServedPaths, type Surface } from './surface.ts';

/** The scheme's name is case-insensitive (RFC 9110, 11.1). */
const BEARER = /^Bearer +(\S+) *$/i;

/** With `records`, an API key calls this surface. */
const SURFACE_HEADER = 'X-Tessera-Surface';
const SERVICE_HEADER = SURFACE_HEADER.toLowerCase();

/** The surface for a tenant's people with access tokens and its services with API keys. */
export const bearerSurface: Surface<BearerContext> = {
  name: 'records',
  takes: (request, paths) =>
    isServiceRequest(request) ||
    (isForMembers(request) && hasBearerToken(request) && !isForKey(request, paths)),
  authenticate: (request, base, route) =>
    isServiceRequest(request.raw) ? authenticateService(base, route) : authenticateUser(request, base, route),
  identify: ({ caller }) => ({
    tenantId: caller.tenantId,
    // Not the membership: its API keys call other routes of the same addresses.
    caller: caller.userId,
    unit: caller.activeUnitId ?? '',
  }),
  envelope: 'entity',
  security: {
    name: 'AccessToken',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'Token of a sign-in, for entity records; other calls take an API key.',
    },
  },
  otherSecurity: ({ path }) => (path.startsWith('/api/') ? ['ApiKey', 'Session'] : ['Session']),
  headers: [
    { name: 'X-Business-Unit', description: 'Token of the active business unit.' },
    { name: SURFACE_HEADER, description: '`records`: the API key belongs to a service.' },
  ],
  responseHeaders: {
    described: QUOTA_HEADERS,
    forUnauthenticated: (platform, request) =>
      isServiceRequest(request) ? {} : fullQuota(platform, USER_QUOTA),
  },
  errors: (access) => [
    UNAUTHORIZED,
    TENANT_SUSPENDED,
    INVALID_BUSINESS_UNIT,
    INVALID_REQUEST,
    RATE_LIMITED,
    ...(access === 'member' ? [] : [FORBIDDEN]),
  ],
};

/** Returns true for a request with an API key that asks for this surface. */
export function isServiceRequest(request: IncomingMessage): boolean {
  return asksForRecords(request) && request.headers['x-api-key'] !== undefined && isBelow('/api', request);
}

/** Returns true for a request with `X-Tessera-Surface: records`. */
export function asksForRecords({ headers }: IncomingMessage): boolean {
  return headers[SERVICE_HEADER] === 'records';
}

function hasBearerToken({ headers }: IncomingMessage): boolean {
  return /^Bearer\b/i.test(headers.authorization ?? '');
}

/** With both credentials, the path decides: the API key is used wherever the platform has a route. */
function isForKey({ headers, url = '' }: IncomingMessage, paths: ServedPaths): boolean {
  return headers['x-api-key'] !== undefined && paths.methodsAt(url, ['member']).length > 0;
}

/** Authenticates a service by its API key. It acts as the key's membership, without the hourly limit of people. */
async function authenticateService(
  base: RequestContext,
  route: Pick<Route, 'access' | 'params'>,
): Promise<BearerContext> {
  const { caller } = await authenticateKey(base);
  const entityRevision = await findEntityRevision(base.platform, caller.tenantId);
  return { ...admit(base, caller, route), entityRevision };
}

async function authenticateUser(
  { headers }: FastifyRequest,
  base: RequestContext,
  route: Pick<Route, 'access' | 'params'>,
): Promise<BearerContext> {
  const [, token] = BEARER.exec(headers.authorization ?? '') ?? [];
  const found = token === undefined ? null : await findCallerByAccessToken(base.platform, token, base.now);
  if (found === null) throw new AppError(UNAUTHORIZED, { message: NOT_SIGNED_IN });
  await countAgainstQuota(base, found.caller.userId, USER_QUOTA);
  return { ...admit(base, found.caller, route), entityRevision: found.entityRevision };
}

const NOT_SIGNED_IN = 'The access token is missing or not valid. Sign in, or exchange the refresh token.';
