/** Checks a change of a definition without making it, for dry runs. */
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { placeOf } from './change.ts';
import { requireFreeColumns } from './column-limit.ts';
import { STAGED } from './names.ts';
import { factsOf, planChange } from './plan.ts';
import { findMismatches, type RowReader, refuseViolations, requireConvertible } from './row-checks.ts';
import type { Definition } from './schema.ts';
import { fieldsToMatch, stagingOf } from './staging-plan.ts';

/**
 * Checks the records of an entity against another definition, by plain reads: nothing is locked or staged. Rules of
 * fields that are new or change their type are checked only by the change itself, when their columns exist.
 * @throws AppError VALIDATION_ERROR with the violations.
 */
export async function checkChange(
  platform: Platform,
  db: ScopedDb,
  old: Definition,
  next: Definition,
): Promise<void> {
  const plan = planChange(factsOf(old), factsOf(next));
  if (plan.reshape.length + plan.constrain.length === 0) return;
  const place = placeOf(db, next.name);
  const read: RowReader = (write) => db.raw(write);
  await requireFreeColumns(db, place, plan);
  await requireConvertible(read, place, plan);
  const source = { read, platform, tenantId: db.tenantId };
  const mismatches = await findMismatches(source, place, fieldsToMatch(plan), null);
  const { rules } = stagingOf(next.name, plan);
  const onRows = rules.filter(({ field }) => !field.column.startsWith(STAGED));
  await refuseViolations(read, place, onRows, mismatches);
}
