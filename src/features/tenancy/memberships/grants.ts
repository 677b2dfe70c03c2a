import { AppError, type Issue } from '../../../errors/app-error.ts';
import { VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import { createRecords, deleteRecords, replaceRecords } from '../../../resources/records.ts';
import type { Writer } from '../../../resources/statements.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { listActiveUnitIds } from '../business-units/index.ts';
import { listGrants } from './queries.ts';
import { grantResource } from './resource.ts';
import type { GrantInput } from './schema.ts';

/**
 * Replaces all grants of a membership. A grant keeps its id if its unit is in `newGrants`, and its version if the role
 * is the same too.
 * @throws AppError VALIDATION_ERROR with an issue for each unknown or duplicate unit.
 */
export async function replaceGrants(
  writer: Writer,
  membershipId: string,
  newGrants: readonly GrantInput[],
): Promise<void> {
  const current = await listGrants(writer.db, membershipId);
  const roles = new Map(newGrants.map(({ bu_id, role }) => [bu_id, role]));
  const heldUnits = new Set(current.map(({ bu_id }) => bu_id));
  await requireGrantable(writer.db, newGrants, heldUnits);
  const removed = current.filter(({ bu_id }) => !roles.has(bu_id)).map(({ id }) => id);
  const changed = current
    .filter(({ bu_id, role }) => roles.has(bu_id) && roles.get(bu_id) !== role)
    .map(({ id, bu_id }) => ({ key: id, columns: { role: roles.get(bu_id) } }));
  const added = newGrants
    .filter(({ bu_id }) => !heldUnits.has(bu_id))
    .map(({ bu_id, role }) => ({ columns: { membership_id: membershipId, bu_id, role } }));
  await deleteRecords(writer, grantResource, removed);
  await replaceRecords(writer, grantResource, changed);
  await createRecords(writer, grantResource, added);
}

/**
 * Requires valid units. An archived unit is valid if the membership already has a grant there, so that callers can send
 * back the grants that they have read.
 */
async function requireGrantable(
  tx: ScopedDb,
  newGrants: readonly GrantInput[],
  current: ReadonlySet<string>,
): Promise<void> {
  if (newGrants.length === 0) return;
  const known = new Set([...(await listActiveUnitIds(tx)), ...current]);
  const seen = new Set<string>();
  const issues: Issue[] = [];
  for (const [index, { bu_id }] of newGrants.entries()) {
    const field = `grants[${index}].bu_id`;
    if (!known.has(bu_id)) issues.push({ field, message: 'is not a business unit of this tenant' });
    else if (seen.has(bu_id)) issues.push({ field, message: 'must not contain a business unit twice' });
    seen.add(bu_id);
  }
  if (issues.length > 0) throw new AppError(VALIDATION_ERROR, { issues });
}
