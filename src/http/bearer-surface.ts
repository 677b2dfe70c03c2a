/** The surface of entity records: a tenant's people, who have signed in (docs/specification/records.md#signing-in). */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import {
  FORBIDDEN,
  INVALID_BUSINESS_UNIT,
  INVALID_REQUEST,
  RATE_LIMITED,
  UNAUTHORIZED,
} from '../errors/platform-errors.ts';
import { findCallerByAccessToken } from '../tenancy/find-session-caller.ts';
import { admit } from './admission.ts';
import type { BearerContext, RequestContext } from './context.ts';
import { QUOTA_HEADERS, takeFromQuota, wholeQuota } from './request-quota.ts';
import type { Route } from './route.ts';
import type { RoutePaths } from './route-paths.ts';
import { isForMembers, type Surface } from './surface.ts';

/** The scheme's name is case-insensitive (RFC 9110, 11.1). */
const BEARER = /^Bearer +(\S+) *$/i;

/** A tenant's people, by access token. */
export const bearerSurface: Surface<BearerContext> = {
  name: 'records',
  takes: (request, paths) => isForMembers(request) && bringsBearer(request) && !isForKey(request, paths),
  authenticate: authenticatePerson,
  identify: ({ caller }) => ({
    tenantId: caller.tenantId,
    // Not the membership: its API keys call other routes of the same addresses.
    caller: caller.userId,
    unit: caller.activeUnitId ?? '',
  }),
  envelope: 'entity',
  security: {
    name: 'AccessToken',
    scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token of a sign-in.' },
  },
  headers: [{ name: 'X-Business-Unit', description: 'Token of the Active business unit.' }],
  answerHeaders: { described: QUOTA_HEADERS, ofNobody: wholeQuota },
  errors: (access) => [
    UNAUTHORIZED,
    INVALID_BUSINESS_UNIT,
    INVALID_REQUEST,
    RATE_LIMITED,
    ...(access === 'member' ? [] : [FORBIDDEN]),
  ],
};

function bringsBearer({ headers }: IncomingMessage): boolean {
  return /^Bearer\b/i.test(headers.authorization ?? '');
}

/** With both credentials the path decides: the key counts wherever the platform has a path. */
function isForKey({ headers, url = '' }: IncomingMessage, paths: RoutePaths): boolean {
  return headers['x-api-key'] !== undefined && paths.methodsAt(url, ['member']).length > 0;
}

async function authenticatePerson(
  { headers }: FastifyRequest,
  base: RequestContext,
  route: Pick<Route, 'access' | 'params'>,
): Promise<BearerContext> {
  const [, token] = BEARER.exec(headers.authorization ?? '') ?? [];
  const found = token === undefined ? null : await findCallerByAccessToken(base.platform, token, base.now);
  if (found === null) throw new AppError(UNAUTHORIZED, { message: NOT_SIGNED_IN });
  await takeFromQuota(base, found.caller.userId);
  return { ...admit(base, found.caller, route), entityRevision: found.entityRevision };
}

const NOT_SIGNED_IN = 'The access token is missing or not valid. Sign in, or exchange the refresh token.';
