/** Checks whether a definition can be changed, for dry runs. */
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { requireFreeColumns } from './column-limit.ts';
import { entityTableOf } from './entity-table.ts';
import { STAGED } from './names.ts';
import { planChange, tableDefinitionOf } from './plan.ts';
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
  const plan = planChange(tableDefinitionOf(old), tableDefinitionOf(next));
  if (plan.reshape.length + plan.constrain.length === 0) return;
  const table = entityTableOf(db, next.name);
  const read: RowReader = (write) => db.raw(write);
  await requireFreeColumns(db, table, plan);
  await requireConvertible(read, table, plan);
  const source = { read, platform, tenantId: db.tenantId };
  const mismatches = await findMismatches(source, table, fieldsToMatch(plan), null);
  const { rules } = stagingOf(next.name, plan);
  const checkableRules = rules.filter(({ field }) => !field.column.startsWith(STAGED));
  await refuseViolations(read, table, checkableRules, mismatches);
}
