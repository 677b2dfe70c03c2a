/** Checks that an actor can see the records to which written records refer. */
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { INVALID_REQUEST } from '../../../errors/platform-errors.ts';
import type { EntityModel, StoredField } from '../entities/index.ts';
import { readVisible } from './check-queries.ts';
import { missingRecord } from './database-errors.ts';
import type { EntityContext } from './entity-context.ts';
import { reachesAllUnits } from './permissions.ts';
import type { FieldValues } from './record-values.ts';

/** Values of a record, and the prefix of its field names in issues. */
export interface ValuesAtPath {
  readonly values: FieldValues;
  readonly pathPrefix: string;
}

/**
 * Refuses references to records that the actor cannot see. The database itself refuses missing records. So this check
 * queries only entities whose records belong to units, and only for an actor that cannot access all units.
 * @throws AppError INVALID_REQUEST naming each field with such a reference.
 */
export async function requireVisible(ctx: EntityContext, records: readonly ValuesAtPath[]): Promise<void> {
  if (reachesAllUnits(ctx.actor)) return;
  const issues = await findInvisible(ctx, records, ({ ownedBy }) => ownedBy === 'business_unit');
  if (issues.length > 0) throw new AppError(INVALID_REQUEST, { issues });
}

/** Finds references to records that the scope of `db` cannot see. Checks only entities that `isChecked` selects. */
export async function findInvisible(
  { db, models }: EntityContext,
  records: readonly ValuesAtPath[],
  isChecked: (model: EntityModel) => boolean,
): Promise<readonly Issue[]> {
  const issues: Issue[] = [];
  for (const field of records[0]?.values.keys() ?? []) {
    const related = field.refersTo === null ? undefined : models.get(field.refersTo);
    if (!related || !isChecked(related)) continue;
    const ids = [...new Set(records.flatMap(({ values }) => idIn(values, field)))];
    const visible = ids.length === 0 ? new Set() : await readVisible(db, related, ids);
    for (const { values, pathPrefix } of records)
      for (const id of idIn(values, field))
        if (!visible.has(id))
          issues.push({ field: `${pathPrefix}${field.name}`, message: missingRecord(field) });
  }
  return issues;
}

function idIn(values: FieldValues, field: StoredField): string[] {
  const id = values.get(field);
  return typeof id === 'string' ? [id] : [];
}
