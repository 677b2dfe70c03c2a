import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Returns true if the tenant has a key, also if it is revoked. */
export async function hasKey(db: ScopedDb): Promise<boolean> {
  return (await db.query.selectFrom('api_keys').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Marks a key as revoked, only the first time; returns false if it does not exist. */
export async function revokeKey(db: ScopedDb, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db.query
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(now.toISOString())) }))
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
