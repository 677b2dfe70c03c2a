import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/**
 * True if the unit is not archived. Conversations and automations have the scope of the whole tenant, which includes
 * archived units.
 */
export async function isActiveUnit(db: ScopedDb, unitId: string): Promise<boolean> {
  const unit = db.query
    .selectFrom('business_units')
    .select('bu_id')
    .where('bu_id', '=', unitId)
    .where('archived_at', 'is', null);
  return (await unit.executeTakeFirst()) !== undefined;
}

/** Returns the ids of assistants of these units, optionally by name. Two are enough to know that there are several. */
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
