import { AppError, type Issue } from '../../errors/app-error.ts';
import { VALIDATION_ERROR } from '../../errors/platform-errors.ts';
import { type HistoryEntry, recordVersions } from '../../resources/history.ts';
import type { Writer } from '../../resources/statements.ts';
import type { GrantRow } from '../../tenancy/identity-tables.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { listActiveUnitIds } from '../business-units/index.ts';
import { toGrant } from './membership-views.ts';
import { deleteGrants, type GrantFacts, insertGrants, listGrants, updateGrant } from './queries.ts';

/**
 * Makes `wanted` the whole set of a membership's grants. A grant whose unit stays keeps its id, and its version too
 * when its role stays.
 * @throws AppError VALIDATION_ERROR naming each unit that is unknown or named twice.
 */
export async function replaceGrants(
  writer: Writer,
  membershipId: string,
  wanted: readonly GrantFacts[],
): Promise<void> {
  const { db: tx, now } = writer;
  const held = new Map((await listGrants(tx, membershipId)).map((grant) => [grant.bu_id, grant]));
  await requireGrantable(tx, wanted, held);
  const kept = new Set(wanted.map((grant) => grant.bu_id));
  const removed = [...held.values()].filter((grant) => !kept.has(grant.bu_id));
  await deleteGrants(tx, removed);
  await recordVersions(
    writer,
    removed.map((grant) => entryOf(grant, now)),
    true,
  );

  const changed: GrantRow[] = [];
  for (const { bu_id, role } of wanted) {
    const grant = held.get(bu_id);
    if (grant && grant.role !== role) changed.push(await updateGrant(tx, grant, role));
  }
  const added = wanted.filter((grant) => !held.has(grant.bu_id));
  changed.push(...(await insertGrants(tx, now, membershipId, added)));
  await recordVersions(
    writer,
    changed.map((grant) => entryOf(grant, now)),
  );
}

/** A unit that was archived since stays grantable to whoever holds a grant there, so that a read set can be sent back. */
async function requireGrantable(
  tx: ScopedDb,
  wanted: readonly GrantFacts[],
  held: ReadonlyMap<string, GrantRow>,
): Promise<void> {
  if (wanted.length === 0) return;
  const known = new Set([...(await listActiveUnitIds(tx)), ...held.keys()]);
  const seen = new Set<string>();
  const issues: Issue[] = [];
  for (const [index, { bu_id }] of wanted.entries()) {
    const field = `grants[${index}].bu_id`;
    if (!known.has(bu_id)) issues.push({ field, message: 'is not a business unit of this tenant' });
    else if (seen.has(bu_id)) issues.push({ field, message: 'names a business unit twice' });
    seen.add(bu_id);
  }
  if (issues.length > 0) throw new AppError(VALIDATION_ERROR, { issues });
}

function entryOf(grant: GrantRow, now: Date): HistoryEntry {
  return {
    entityType: 'business_unit_grant',
    sortKey: grant.id,
    version: grant.version,
    ownerBuId: null,
    recordedAt: now,
    data: toGrant(grant),
  };
}
