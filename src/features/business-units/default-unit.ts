import type { Writer } from '../../resources/statements.ts';
import { insertUnit } from './queries.ts';
import { recordUnit } from './unit-history.ts';

/** Makes the Default unit of a new tenant and returns its id. */
export async function createDefaultUnit(writer: Writer): Promise<string> {
  const unit = await insertUnit(writer.db, writer.now, { name: 'Default', slug: 'default', isDefault: true });
  if (unit === null) throw new Error('A new tenant already has a business unit.');
  await recordUnit(writer, unit);
  return unit.bu_id;
}
