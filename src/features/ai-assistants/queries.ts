import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** True if the unit is not archived: conversations and automations reach the whole tenant, archived units included. */
export async function isActiveUnit(db: ScopedDb, unitId: string): Promise<boolean> {
  const unit = db.query
    .selectFrom('business_units')
    .select('bu_id')
    .where('bu_id', '=', unitId)
    .where('archived_at', 'is', null);
  return (await unit.executeTakeFirst()) !== undefined;
}
