import { sql } from 'kysely';
import { AppError } from '../errors/app-error.ts';
import { TENANT_SUSPENDED } from '../errors/platform-errors.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { digestsEqual, parseApiKey } from '../secrets/api-keys.ts';
import type { AuthorizedUnit, Caller } from './caller.ts';
import { CoalescedReads } from './coalesced-reads.ts';
import { KnownTenants } from './known-tenants.ts';

/** Result row of a caller look-up. */
export interface CallerRow {
  tenant_id: string;
  membership_id: string;
  user_id: string;
  is_tenant_admin: boolean;
  has_archived_units: boolean;
  units: AuthorizedUnit[];
}

interface KeyCallerRow extends CallerRow {
  is_suspended: boolean;
  key_id: string;
  digest: Buffer;
  last_used_at: string | null;
  member_seen_at: string | null;
}

/** A caller and its API key. */
export interface KeyCaller {
  readonly caller: Caller;
  readonly keyId: string;
  readonly lastUsedAt: string | null;
  /** The last recorded use by the member. */
  readonly memberSeenAt: string | null;
}

/** A key found by its prefix, with the digest of its secret. */
interface FoundKey extends KeyCaller {
  readonly isSuspended: boolean;
  readonly digest: Buffer;
}

const tenantsOfKeys = oncePerPlatform(
  ({ database }) =>
    new KnownTenants((prefix) =>
      database.everyTenant('key-tenant').gather(
        (inTenants) => sql<{ tenant_id: string }>`
          select k.tenant_id from api_keys k where k.prefix = ${prefix} and ${inTenants('k.tenant_id')} limit 1`,
      ),
    ),
);

const lookUps = oncePerPlatform(() => new CoalescedReads<readonly FoundKey[]>());

/**
 * Resolves an API key to its caller. Returns null if the key is unknown or revoked, or its membership is inactive.
 * Reads the database for every request, so a deactivated membership gets 401 at once in every process.
 * @throws AppError TENANT_SUSPENDED.
 */
export async function findCallerByApiKey(platform: Platform, apiKey: string): Promise<KeyCaller | null> {
  const parsed = parseApiKey(apiKey);
  if (!parsed) return null;
  const tenantId = await tenantsOfKeys(platform).find(parsed.prefix);
  if (tenantId === null) return null;
  const found = await lookUps(platform).find(parsed.prefix, () =>
    readKeys(platform, tenantId, parsed.prefix),
  );
  const key = found.find(({ digest }) => digestsEqual(digest, parsed.digest));
  if (key?.isSuspended) throw new AppError(TENANT_SUSPENDED);
  return key ?? null;
}

async function readKeys(
  { database }: Platform,
  tenantId: string,
  prefix: string,
): Promise<readonly FoundKey[]> {
  const { rows } = await database.lookUp(
    'caller',
    sql<KeyCallerRow>`select * from tessera_find_caller(${tenantId}, ${prefix})`,
  );
  return rows.map((row) => ({
    caller: toCaller(row),
    keyId: row.key_id,
    lastUsedAt: row.last_used_at,
    memberSeenAt: row.member_seen_at,
    digest: row.digest,
    isSuspended: row.is_suspended,
  }));
}

/** Converts a look-up result to a caller without an Active unit. */
export function toCaller(row: CallerRow): Caller {
  return {
    tenantId: row.tenant_id,
    membershipId: row.membership_id,
    userId: row.user_id,
    isTenantAdmin: row.is_tenant_admin,
    units: row.units,
    reachesAllUnits: row.is_tenant_admin && !row.has_archived_units,
    activeUnitId: null,
  };
}
