import { sql } from 'kysely';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../../../db/sqlstate.ts';
import type { Moment, Time } from '../../../db/tables.ts';
import { defineRetention } from '../../../jobs/retention.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

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

declare module '../../../db/tables.ts' {
  interface Tables {
    sessions: SessionRow;
    refresh_tokens: RefreshTokenRow;
  }
}

/** Inserts a new session. Returns false if its membership was deleted; PostgreSQL has then aborted the transaction. */
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
    // The only foreign key of a session refers to memberships.
    if (isSqlState(error, FOREIGN_KEY_VIOLATION)) return false;
    throw error;
  }
}

/** Extends and locks a session; returns false if it has ended. */
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

/** Finds the refresh token with this digest, and the membership of its session. */
export function findRefreshToken(db: ScopedDb, digest: Buffer) {
  return db.query
    .selectFrom('refresh_tokens as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .select(['t.session_id', 't.expires_at', 't.spent_at', 's.membership_id'])
    .where('t.digest', '=', digest)
    .executeTakeFirst();
}

/** Inserts the next refresh token of a session. */
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

/** Marks a token as exchanged; returns false if it already was. */
export async function spendRefreshToken(tx: ScopedDb, digest: Buffer, now: Moment): Promise<boolean> {
  const spent = tx.query
    .updateTable('refresh_tokens')
    .set({ spent_at: now })
    .where('digest', '=', digest)
    .where('spent_at', 'is', null);
  return (await spent.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Expired sessions, which give no access. */
export const sessionRetention = defineRetention({
  description: 'expired sessions',
  keptHours: 24,
  table: 'sessions',
  isOld: (before) => sql`r.expires_at < ${before}`,
  byTenant: false,
});

/** Expired refresh tokens. Until then, reuse of an exchanged token is detected. */
export const refreshTokenRetention = defineRetention({
  description: 'expired refresh tokens',
  keptHours: 24,
  table: 'refresh_tokens',
  key: ['digest'],
  isOld: (before) => sql`r.expires_at < ${before}`,
  byTenant: false,
});
