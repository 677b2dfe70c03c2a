import type { ApiKeyRow } from '../../tenancy/identity-tables.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** The keys of the tenant, newest first, without their digests. */
export async function listKeys(db: ScopedDb): Promise<Omit<ApiKeyRow, 'tenant_id' | 'digest'>[]> {
  return db.query
    .selectFrom('api_keys')
    .select(['id', 'name', 'prefix', 'membership_id', 'created_at', 'last_used_at', 'revoked_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Marks a key revoked, the first time only; false when there is none. */
export async function revokeKey(db: ScopedDb, id: string, now: Date): Promise<boolean> {
  const row = await db.query
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(now.toISOString())) }))
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
