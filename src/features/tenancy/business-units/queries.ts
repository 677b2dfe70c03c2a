import { v7 as uuidv7 } from 'uuid';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import { listAllRecords } from '../../../resources/lists.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { findUnitIds } from '../../../tenancy/unit-names.ts';
import { units } from './resource.ts';

/** Inserts the Default unit, without history. */
export function insertDefaultUnit(tx: ScopedDb, now: Date) {
  const names = { name: 'Default', slug: 'default' };
  const times = { created_at: now, updated_at: now };
  return tx.query
    .insertInto('business_units')
    .values({ ...names, ...times, tenant_id: tx.tenantId, bu_id: uuidv7(), is_default: true, version: 1 })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Lists the used slugs that begin with `stem`. It must contain only letters, digits and hyphens. */
export async function listSlugs(tx: ScopedDb, stem: string): Promise<Set<string>> {
  const all = tx.query.selectFrom('business_units').select('slug');
  const rows = await all.where('slug', 'like', `${stem}%`).execute();
  return new Set(rows.map((row) => row.slug));
}

/** Returns the id of the tenant's Default unit. */
export async function getDefaultUnitId(db: ScopedDb): Promise<string> {
  const filters = { is_default: { operation: 'eq', value: true } };
  const [unit] = await listAllRecords(db, units, { filters });
  if (unit === undefined) throw new Error('The tenant has no Default unit.');
  return unit.bu_id;
}

/** Returns the id of the active unit with this id, slug or name; null: it does not exist. */
export async function findUnitId(db: ScopedDb, idSlugOrName: string): Promise<string | null> {
  return (await findUnitIds(db, [idSlugOrName])).get(idSlugOrName) ?? null;
}

/** Lists the ids of all active units. */
export async function listActiveUnitIds(db: ScopedDb): Promise<string[]> {
  const active = await listAllRecords(db, units, { filters: { archived_at: { operation: 'empty' } } });
  return active.map(({ bu_id }) => bu_id);
}

/** Counts all active units. */
export async function countActiveUnits(db: ScopedDb): Promise<number> {
  const { count } = await db.query
    .selectFrom('business_units')
    .where('archived_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Lists all archived units. */
export async function listArchivedUnits(db: ScopedDb) {
  return listAllRecords(db, units, { filters: { archived_at: { operation: 'nempty' } } });
}

/** Lists all memberships of a user in all tenants, sorted by tenant name. */
export async function listOwnMemberships(all: EveryTenantDb, userId: string) {
  return all.query
    .selectFrom('memberships as m')
    .innerJoin('tenants as t', 't.tenant_id', 'm.tenant_id')
    .where('t.status', '<>', 'deleting')
    .select([
      't.tenant_id',
      't.name as tenant_name',
      't.code as tenant_code',
      'm.is_tenant_admin',
      'm.status',
    ])
    .where('m.user_id', '=', userId)
    .orderBy('t.name')
    .orderBy('t.code')
    .execute();
}
