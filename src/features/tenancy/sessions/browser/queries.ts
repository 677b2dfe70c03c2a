import { sql } from 'kysely';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../../../../db/sqlstate.ts';
import type { Moment, Time } from '../../../../db/tables.ts';
import { defineRetention } from '../../../../jobs/retention.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';

interface BrowserSessionRow {
  tenant_id: string;
  id: string;
  digest: Buffer;
  user_id: string;
  created_at: Time;
  last_seen_at: Time;
  expires_at: Time;
  confirmed_until: Time;
  remember: boolean;
  ip_address: string;
  user_agent: string | null;
}

declare module '../../../../db/tables.ts' {
  interface Tables {
    browser_sessions: BrowserSessionRow;
  }
}

/** A browser session to be stored. */
export interface NewBrowserSession {
  readonly id: string;
  readonly digest: Buffer;
  readonly userId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly confirmedUntil: Date;
  readonly remember: boolean;
  readonly ipAddress: string;
  readonly userAgent: string | null;
}

/** Inserts a session; returns false if the membership was deleted. A transaction has failed then. */
export async function insertBrowserSession(tx: ScopedDb, session: NewBrowserSession): Promise<boolean> {
  const { id, digest, userId, createdAt, expiresAt, confirmedUntil, remember, ipAddress, userAgent } =
    session;
  const times = { created_at: createdAt, last_seen_at: createdAt, expires_at: expiresAt };
  const client = { ip_address: ipAddress, user_agent: userAgent };
  try {
    await tx.query
      .insertInto('browser_sessions')
      .values({
        ...{ tenant_id: tx.tenantId, id, digest, user_id: userId, ...times },
        ...{ confirmed_until: confirmedUntil, remember, ...client },
      })
      .execute();
    return true;
  } catch (error) {
    // The only foreign key refers to memberships.
    if (isSqlState(error, FOREIGN_KEY_VIOLATION)) return false;
    throw error;
  }
}

/** Extends the time in which sensitive calls need no password. */
export async function setConfirmed(db: ScopedDb, id: string, confirmedUntil: Moment): Promise<void> {
  await db.query
    .updateTable('browser_sessions')
    .set({ confirmed_until: confirmedUntil })
    .where('id', '=', id)
    .execute();
}

/** Maximum number of sessions in a list; others are older and can be ended by a new password. */
export const LISTED_SESSIONS = 100;

/** Lists the sessions of a user in this tenant that have not expired, at most 100, the most recently used first. */
export function listBrowserSessions(db: ScopedDb, userId: string, now: Date) {
  return db.query
    .selectFrom('browser_sessions')
    .select(['id', 'created_at', 'last_seen_at', 'ip_address', 'user_agent'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now.toISOString())
    .orderBy('last_seen_at', 'desc')
    .limit(LISTED_SESSIONS)
    .execute();
}

/** Ends a session of a user; returns false if there is none in this tenant. */
export async function deleteBrowserSession(db: ScopedDb, id: string, userId: string): Promise<boolean> {
  const deleted = await db.query
    .deleteFrom('browser_sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** Ends the session of a token. */
export async function deleteBrowserSessionOf(db: ScopedDb, digest: Buffer): Promise<void> {
  await db.query.deleteFrom('browser_sessions').where('digest', '=', digest).execute();
}

/** Ends all sessions of a user in this tenant. */
export async function deleteBrowserSessionsOf(db: ScopedDb, userId: string): Promise<void> {
  await db.query.deleteFrom('browser_sessions').where('user_id', '=', userId).execute();
}

/** Expired sessions, which give no access. */
export const browserSessionRetention = defineRetention({
  description: 'expired browser sessions',
  keptHours: 24,
  table: 'browser_sessions',
  isOld: (before) => sql`r.expires_at < ${before}`,
  byTenant: false,
});
