import { sql } from 'kysely';
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

const lookUps = oncePerPlatform(() => new SharedLookUps<SessionCaller | null>());

/**
 * Resolves an access token to its caller, or null when it is not one, its session has ended or its membership is inactive.
 * Read from the database for every request, as API keys are: who signs out is out at once, in every process.
 */
export async function findCallerByAccessToken(
  platform: Platform,
  token: string,
  now: Date,
): Promise<SessionCaller | null> {
  const claims = await accessTokens(platform).verify(token, now);
  if (claims === null) return null;
  const { tenantId, sessionId } = claims;
  return lookUps(platform).find(sessionId, () => readSession(platform, tenantId, sessionId));
}

async function readSession(
  { database }: Platform,
  tenantId: string,
  sessionId: string,
): Promise<SessionCaller | null> {
  const { rows } = await database.lookUp(
    'caller',
    sql<CallerRow & { entity_revision: number }>`
      select * from tessera_find_session_caller(${tenantId}, ${sessionId})`,
  );
  const [row] = rows;
  return row === undefined ? null : { caller: toCaller(row), entityRevision: row.entity_revision };
}
