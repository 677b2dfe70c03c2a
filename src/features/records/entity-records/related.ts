/** Whether the records that others name are there for the caller. */
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { INVALID_REQUEST } from '../../../errors/platform-errors.ts';
import type { EntityModel, StoredField } from '../entities/index.ts';
import { readVisible } from './check-queries.ts';
import type { EntityContext } from './open-entity.ts';
import { reachesAllUnits } from './permissions.ts';
import type { FieldValues } from './record-values.ts';
import { noRecord } from './refusals.ts';

/** Values of a record, and where its body stands in the request. */
export interface PlacedValues {
  readonly values: FieldValues;
  readonly place: string;
}

/**
 * The database refuses names of records that are not there; what a unit owns is there for its members only, so that whoever
 * does not reach all units has it looked up.
 * @throws AppError INVALID_REQUEST naming each field that names no record the actor sees.
 */
export async function requireVisible(ctx: EntityContext, records: readonly PlacedValues[]): Promise<void> {
  if (reachesAllUnits(ctx.actor)) return;
  const issues = await findUnseen(ctx, records, ({ ownedBy }) => ownedBy === 'business_unit');
  if (issues.length > 0) throw new AppError(INVALID_REQUEST, { issues });
}

/** Each field of records that names none which the caller sees, of relations to the entities that are looked at. */
export async function findUnseen(
  { db, models }: EntityContext,
  records: readonly PlacedValues[],
  isLookedAt: (model: EntityModel) => boolean,
): Promise<readonly Issue[]> {
  const issues: Issue[] = [];
  for (const field of records[0]?.values.keys() ?? []) {
    const related = field.refersTo === null ? undefined : models.get(field.refersTo);
    if (!related || !isLookedAt(related)) continue;
    const ids = [...new Set(records.flatMap(({ values }) => idIn(values, field)))];
    const seen = ids.length === 0 ? new Set() : await readVisible(db, related, ids);
    for (const { values, place } of records)
      for (const id of idIn(values, field))
        if (!seen.has(id)) issues.push({ field: `${place}${field.name}`, message: noRecord(field) });
  }
  return issues;
}

function idIn(values: FieldValues, field: StoredField): string[] {
  const id = values.get(field);
  return typeof id === 'string' ? [id] : [];
}
