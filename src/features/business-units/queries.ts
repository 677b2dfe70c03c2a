import { v7 as uuidv7 } from 'uuid';
import type { BusinessUnitRow } from '../../tenancy/identity-tables.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** What a new unit is. */
export interface NewUnit {
  readonly name: string;
  readonly slug: string;
  readonly isDefault: boolean;
}

/** Inserts a unit; null when its slug is taken in the tenant, be it by an archived unit. */
export async function insertUnit(tx: ScopedDb, now: Date, unit: NewUnit): Promise<BusinessUnitRow | null> {
  const row = await tx.query
    .insertInto('business_units')
    .values({
      tenant_id: tx.tenantId,
      bu_id: uuidv7(),
      name: unit.name,
      slug: unit.slug,
      is_default: unit.isDefault,
      archived_at: null,
      version: 1,
      created_at: now.toISOString(),
      updated_at: null,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'slug']).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** The slugs in use that begin with `stem`, which holds letters, digits and hyphens only. */
export async function listSlugs(tx: ScopedDb, stem: string): Promise<Set<string>> {
  const rows = await tx.query
    .selectFrom('business_units')
    .select('slug')
    .where('slug', 'like', `${stem}%`)
    .execute();
  return new Set(rows.map((row) => row.slug));
}

/** The unit, locked until the transaction ends; undefined when there is none that is not archived. */
export async function lockActiveUnit(tx: ScopedDb, buId: string): Promise<BusinessUnitRow | undefined> {
  return tx.query
    .selectFrom('business_units')
    .selectAll()
    .where('bu_id', '=', buId)
    .where('archived_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Changes a unit as its next version. */
export async function updateUnit(
  tx: ScopedDb,
  now: Date,
  unit: BusinessUnitRow,
  change: Partial<Pick<BusinessUnitRow, 'name' | 'archived_at'>>,
): Promise<BusinessUnitRow> {
  return tx.query
    .updateTable('business_units')
    .set({ ...change, version: unit.version + 1, updated_at: now.toISOString() })
    .where('bu_id', '=', unit.bu_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The id of the tenant's Default unit. */
export async function getDefaultUnitId(db: ScopedDb): Promise<string> {
  const { bu_id } = await db.query
    .selectFrom('business_units')
    .select('bu_id')
    .where('is_default', '=', true)
    .executeTakeFirstOrThrow();
  return bu_id;
}

/** The ids of all units that are not archived. */
export async function listActiveUnitIds(db: ScopedDb): Promise<string[]> {
  const rows = await db.query
    .selectFrom('business_units')
    .select('bu_id')
    .where('archived_at', 'is', null)
    .execute();
  return rows.map((row) => row.bu_id);
}
