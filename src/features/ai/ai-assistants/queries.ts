import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** True if the unit is not archived: conversations and automations reach the whole tenant, archived units included. */
export async function isActiveUnit(db: ScopedDb, unitId: string): Promise<boolean> {
  const unit = db.query
    .selectFrom('business_units')
    .select('bu_id')
    .where('bu_id', '=', unitId)
    .where('archived_at', 'is', null);
  return (await unit.executeTakeFirst()) !== undefined;
}

/** The ids of assistants of these units, of this name if one is given; two at most, which is more than one. */
export async function listAssistantIds(
  db: ScopedDb,
  unitIds: readonly string[],
  name?: string,
): Promise<string[]> {
  const owned = db.query
    .selectFrom('ai_assistants')
    .select('id')
    .where((eb) => eb('owner_bu_id', '=', eb.fn.any(eb.val([...unitIds]))))
    .limit(2);
  const found = await (name === undefined ? owned : owned.where('name', '=', name)).execute();
  return found.map(({ id }) => id);
}
