import { sql } from 'kysely';
import { AppError } from '../errors/app-error.ts';
import { TENANT_SUSPENDED } from '../errors/platform-errors.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { accessTokens } from '../secrets/access-tokens.ts';
import type { Caller } from './caller.ts';
import { CoalescedReads } from './coalesced-reads.ts';
import { type CallerRow, toCaller } from './find-caller.ts';

/** A signed-in caller, and the revision of the tenant's entity definitions. */
export interface SessionCaller {
  readonly caller: Caller;
  readonly entityRevision: number;
}

interface FoundSession extends SessionCaller {
  readonly isSuspended: boolean;
}

const lookUps = oncePerPlatform(() => new CoalescedReads<FoundSession | null>());

/**
 * Resolves an access token to its caller. Returns null if the token is invalid, its session has ended or its membership
 * is inactive. Reads the database for every request, so a sign-out takes effect at once in every process.
 * @throws AppError TENANT_SUSPENDED.
 */
export async function findCallerByAccessToken(
  platform: Platform,
  token: string,
  now: Date,
): Promise<SessionCaller | null> {
  const claims = await accessTokens(platform).verify(token, now);
  if (claims === null) return null;
  const { tenantId, sessionId } = claims;
  const found = await lookUps(platform).find(sessionId, () => readSession(platform, tenantId, sessionId));
  if (found?.isSuspended) throw new AppError(TENANT_SUSPENDED);
  return found;
}

async function readSession(
  { database }: Platform,
  tenantId: string,
  sessionId: string,
): Promise<FoundSession | null> {
  const { rows } = await database.lookUp(
    'caller',
    sql<CallerRow & { entity_revision: number; is_suspended: boolean }>`
      select * from tessera_find_session_caller(${tenantId}, ${sessionId})`,
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { entity_revision: entityRevision, is_suspended: isSuspended } = row;
  return { caller: toCaller(row), entityRevision, isSuspended };
}
