import { sql } from 'kysely';
import { AppError } from '../errors/app-error.ts';
import { TENANT_SUSPENDED } from '../errors/platform-errors.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { accessTokens } from '../secrets/access-tokens.ts';
import type { Caller } from './caller.ts';
import { type CallerRow, toCaller } from './find-caller.ts';
import { SharedLookUps } from './shared-look-ups.ts';

/** A caller who has signed in, and how often the tenant's entities have been changed. */
export interface SessionCaller {
  readonly caller: Caller;
  readonly entityRevision: number;
}

interface FoundSession extends SessionCaller {
  readonly isSuspended: boolean;
}

const lookUps = oncePerPlatform(() => new SharedLookUps<FoundSession | null>());

/**
 * Resolves an access token to its caller, or null when it is not one, its session has ended or its membership is inactive.
 * Read from the database for every request, as API keys are: who signs out is out at once, in every process.
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
