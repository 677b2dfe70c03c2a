import { sql } from 'kysely';
import { oncePerPlatform, type Platform } from '../platform.ts';
import type { TokenParts } from '../secrets/tenant-tokens.ts';
import { type BrowserSession, sessionExpiry } from './browser-session.ts';
import { CoalescedReads } from './coalesced-reads.ts';
import { type CallerRow, toCaller } from './find-caller.ts';
import type { SessionCaller } from './find-session-caller.ts';

/** The user of a session as a member of the tenant that a request names. */
export interface SessionMember extends SessionCaller {
  readonly isSuspended: boolean;
  /** The last recorded use by the member. */
  readonly seenAt: string | null;
}

/** A browser session and its member; null: the user has no active membership in the named tenant. */
export interface FoundBrowserSession {
  readonly session: BrowserSession;
  readonly member: SessionMember | null;
}

interface SessionRow {
  session_id: string;
  session_user_id: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  confirmed_until: string;
  remember: boolean;
  session_hours: number;
}

/** Columns of the membership; those of `CallerRow` are null together with the first. */
interface MemberRow extends CallerRow {
  entity_revision: number;
  is_suspended: boolean;
  member_seen_at: string | null;
}

type FoundRow = SessionRow & (MemberRow | { membership_id: null });

const lookUps = oncePerPlatform(() => new CoalescedReads<FoundBrowserSession | null>());

/**
 * Finds the session of a token, expired or not, and its user's membership in the tenant with this code. Reads the
 * database for every request, so the end of a session takes effect at once in every process.
 */
export function findBrowserSession(
  platform: Platform,
  { tenantId, digest }: TokenParts,
  tenantCode: string | null,
): Promise<FoundBrowserSession | null> {
  const key = `${digest.toString('base64url')} ${tenantCode ?? ''}`;
  return lookUps(platform).find(key, () => readSession(platform, { tenantId, digest }, tenantCode));
}

async function readSession(
  { database }: Platform,
  { tenantId, digest }: TokenParts,
  tenantCode: string | null,
): Promise<FoundBrowserSession | null> {
  const { rows } = await database.lookUp(
    'caller',
    sql<FoundRow>`select * from tessera_find_browser_session(${tenantId}, ${digest}, ${tenantCode})`,
  );
  const [row] = rows;
  return row === undefined ? null : { session: toSession(tenantId, row), member: toMember(row) };
}

function toSession(tenantId: string, row: SessionRow): BrowserSession {
  const session = {
    id: row.session_id,
    tenantId,
    userId: row.session_user_id,
    createdAt: new Date(row.created_at),
    lastSeenAt: new Date(row.last_seen_at),
    confirmedUntil: new Date(row.confirmed_until),
    remember: row.remember,
    idleHours: row.session_hours,
  };
  // The stored expiry may be older than a change of the tenant's setting, which can only bring it forward.
  const expiries = [new Date(row.expires_at), sessionExpiry(session, session.lastSeenAt)];
  return { ...session, expiresAt: new Date(Math.min(...expiries.map((each) => each.getTime()))) };
}

function toMember(row: FoundRow): SessionMember | null {
  if (row.membership_id === null) return null;
  return {
    caller: toCaller(row),
    entityRevision: row.entity_revision,
    isSuspended: row.is_suspended,
    seenAt: row.member_seen_at,
  };
}

/**
 * Lists the codes of the tenants in which a user may act: active memberships of tenants that are not suspended.
 * @throws the database error if some tenants cannot be read.
 */
export async function listTenantCodes({ database }: Platform, userId: string): Promise<readonly string[]> {
  const { rows, failure } = await database.everyTenant('sign-in').gather(
    (inTenants) => sql<{ code: string }>`
      select t.code from memberships m join tenants t on t.tenant_id = m.tenant_id
      where m.user_id = ${userId} and m.status = 'active' and t.status = 'active' and ${inTenants('m.tenant_id')}`,
  );
  if (failure !== undefined) throw failure;
  return rows.map(({ code }) => code);
}
