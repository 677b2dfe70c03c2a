/**
 * A surface is a group of routes with its own credential. A route's access names its surface. A further surface
 * (with another credential and error shape) is one more entry here, chosen by the request's credential.
 */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { FORBIDDEN, INVALID_REQUEST, UNAUTHORIZED } from '../errors/platform-errors.ts';
import type { Platform } from '../platform.ts';
import { digestsEqual } from '../secrets/api-keys.ts';
import { withActiveUnit } from '../tenancy/active-unit.ts';
import { type Caller, holdsAnywhere } from '../tenancy/caller.ts';
import { findCallerByApiKey } from '../tenancy/find-caller.ts';
import { scopeOf } from '../tenancy/scope.ts';
import type { RequestContext } from './context.ts';
import { noteKeyUse } from './key-use.ts';
import type { Access, AnyContext } from './route.ts';

/** Turns a request's credential into the context its handler gets, or throws 400, 401 or 403. */
export type Authenticate = (
  request: FastifyRequest,
  base: RequestContext,
  access: Access,
) => Promise<AnyContext>;

const authenticators: Record<'public' | 'operator' | 'platform', Authenticate> = {
  public: async (_request, base) => base,
  operator: authenticateOperator,
  platform: authenticateMember,
};

/** The authentication of a route. */
export function authenticatorFor(access: Access): Authenticate {
  if (access === 'public' || access === 'operator') return authenticators[access];
  return authenticators.platform;
}

async function authenticateOperator(request: FastifyRequest, base: RequestContext): Promise<AnyContext> {
  const expected = Buffer.from(base.platform.config.adminToken);
  // The scheme's name is case-insensitive (RFC 9110, 11.1).
  const given = Buffer.from(/^Bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '');
  if (!digestsEqual(given, expected)) {
    throw new AppError(UNAUTHORIZED, { message: 'The operator token is missing or not valid.' });
  }
  return { ...base, operator: true };
}

async function authenticateMember(
  request: FastifyRequest,
  base: RequestContext,
  access: Access,
): Promise<AnyContext> {
  const apiKey = request.headers['x-api-key'];
  if (apiKey !== undefined && request.headers.authorization !== undefined) {
    const message = 'Send either X-API-Key or Authorization, not both.';
    throw new AppError(INVALID_REQUEST, { message });
  }
  const found = typeof apiKey === 'string' ? await findCallerByApiKey(base.platform.database, apiKey) : null;
  if (!found) throw new AppError(UNAUTHORIZED);
  noteKeyUse(base.platform)(found, base.now);
  const caller = inActiveUnit(base.platform, found.caller, request, base.now);
  if (!isAllowed(caller, access)) throw new AppError(FORBIDDEN);
  return { ...base, caller, db: base.platform.scoped(scopeOf(caller)) };
}

function inActiveUnit(platform: Platform, caller: Caller, request: FastifyRequest, now: Date): Caller {
  const token = request.headers['x-business-unit'];
  if (token === undefined) return caller;
  return withActiveUnit(platform.tokens, caller, String(token), now);
}

function isAllowed(caller: Caller, access: Access): boolean {
  switch (access) {
    case 'owner':
      return caller.isTenantAdmin;
    case 'viewer':
    case 'editor':
    case 'admin':
      return holdsAnywhere(caller, access);
    default:
      // A caller without any grant may read: it sees nothing (document 1, rule 8).
      return true;
  }
}
