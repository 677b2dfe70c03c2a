import { sql } from 'kysely';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../../db/sqlstate.ts';
import type { Moment, Time } from '../../db/tables.ts';
import { defineRetention } from '../../jobs/retention.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

interface SessionRow {
  tenant_id: string;
  id: string;
  membership_id: string;
  created_at: Time;
  expires_at: Time;
}

interface RefreshTokenRow {
  tenant_id: string;
  digest: Buffer;
  session_id: string;
  expires_at: Time;
  spent_at: Time | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    sessions: SessionRow;
    refresh_tokens: RefreshTokenRow;
  }
}

/** Writes a session that begins; false when its membership is gone. A transaction that this belongs to is at its end then. */
export async function insertSession(
  tx: ScopedDb,
  session: { readonly id: string; readonly membershipId: string },
  now: Moment,
  expiresAt: Moment,
): Promise<boolean> {
  const { id, membershipId: membership_id } = session;
  try {
    await tx.query
      .insertInto('sessions')
      .values({ tenant_id: tx.tenantId, id, membership_id, created_at: now, expires_at: expiresAt })
      .execute();
    return true;
  } catch (error) {
    // To memberships alone: a session refers to nothing else.
    if (isSqlState(error, FOREIGN_KEY_VIOLATION)) return false;
    throw error;
  }
}

/** Has a session last longer, and others who change it wait; false when it has ended. */
export async function prolongSession(tx: ScopedDb, id: string, expiresAt: Moment): Promise<boolean> {
  const prolonged = tx.query.updateTable('sessions').set({ expires_at: expiresAt }).where('id', '=', id);
  return (await prolonged.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Ends a session, with all its tokens. */
export async function deleteSession(db: ScopedDb, id: string): Promise<void> {
  await db.query.deleteFrom('sessions').where('id', '=', id).execute();
}

/** Ends all sessions of a membership, with their tokens. */
export async function deleteSessionsOf(db: ScopedDb, membershipId: string): Promise<void> {
  await db.query.deleteFrom('sessions').where('membership_id', '=', membershipId).execute();
}

/** A refresh token with this digest, and whose it is. */
export function findRefreshToken(db: ScopedDb, digest: Buffer) {
  return db.query
    .selectFrom('refresh_tokens as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .select(['t.session_id', 't.expires_at', 't.spent_at', 's.membership_id'])
    .where('t.digest', '=', digest)
    .executeTakeFirst();
}

/** Writes a session's next token. */
export async function insertRefreshToken(
  tx: ScopedDb,
  token: { readonly digest: Buffer; readonly sessionId: string },
  expiresAt: Moment,
): Promise<void> {
  const { digest, sessionId: session_id } = token;
  await tx.query
    .insertInto('refresh_tokens')
    .values({ tenant_id: tx.tenantId, digest, session_id, expires_at: expiresAt, spent_at: null })
    .execute();
}

/** Notes that a token was exchanged; false when it was before. */
export async function spendRefreshToken(tx: ScopedDb, digest: Buffer, now: Moment): Promise<boolean> {
  const spent = tx.query
    .updateTable('refresh_tokens')
    .set({ spent_at: now })
    .where('digest', '=', digest)
    .where('spent_at', 'is', null);
  return (await spent.executeTakeFirst()).numUpdatedRows > 0n;
}

/** What has run out opens nothing any more. */
export const sessionRetention = defineRetention({
  what: 'sessions that have run out',
  keptHours: 24,
  table: 'sessions',
  isOld: (before) => sql`r.expires_at < ${before}`,
  byTenant: false,
});

/** Until then, one that was exchanged gives itself away when it comes again. */
export const refreshTokenRetention = defineRetention({
  what: 'refresh tokens that have run out',
  keptHours: 24,
  table: 'refresh_tokens',
  key: ['digest'],
  isOld: (before) => sql`r.expires_at < ${before}`,
  byTenant: false,
});
