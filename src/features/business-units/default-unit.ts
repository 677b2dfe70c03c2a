import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { insertUnit } from './queries.ts';
import { recordUnit } from './unit-history.ts';

/** Makes the Default unit of a new tenant and returns its id. */
export async function createDefaultUnit(tx: ScopedDb, now: Date): Promise<string> {
  const unit = await insertUnit(tx, now, { name: 'Default', slug: 'default', isDefault: true });
  if (unit === null) throw new Error('A new tenant already has a business unit.');
  await recordUnit(tx, unit);
  return unit.bu_id;
}
