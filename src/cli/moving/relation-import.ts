/** Relations between imported records. */
import { type EntityPlan, type RelationPlan, storedName } from './entity-plan.ts';
import { findRecords } from './imported-records.ts';
import type { Move } from './move.ts';
import { type KeyedItem, keyOf } from './record-import.ts';
import { RejectedCall } from './target.ts';

/** Returns the fields that refer to one record of another entity. */
export function relationsOf({ fields }: EntityPlan): readonly RelationPlan[] {
  return fields.filter((field) => field.kind === 'relation');
}

/**
 * Sets the relations of records that have none yet. The items have the key of the related item under the name of each
 * relation.
 */
export async function importRelations(
  move: Move,
  plan: EntityPlan,
  items: readonly KeyedItem[],
  plans: readonly EntityPlan[],
): Promise<void> {
  const changes = await findChanges(move, plan, items, plans);
  for (const { ids, update } of changes.values()) await setRelations(move, plan, ids, update);
}

interface Change {
  readonly ids: string[];
  readonly update: Readonly<Record<string, string>>;
}

/** Returns the relations to set, with the records that get the same ones together. */
async function findChanges(
  { target, report }: Move,
  plan: EntityPlan,
  items: readonly KeyedItem[],
  plans: readonly EntityPlan[],
): Promise<ReadonlyMap<string, Change>> {
  const fields = relationsOf(plan);
  const own = await findRecords(
    target,
    plan,
    items.map(({ key }) => key),
    fields.map(storedName),
  );
  const updates = new Map<string, Record<string, string>>();
  for (const field of fields) {
    const relatedPlan = plans.find(({ collection }) => collection === field.related);
    const keys = items.flatMap(({ values }) => keyOf(values[field.source]) ?? []);
    const related = relatedPlan && (await findRecords(target, relatedPlan, [...new Set(keys)]));
    for (const { key, values } of items) {
      const record = own.get(key);
      const relatedKey = keyOf(values[field.source]);
      if (record === undefined || relatedKey === undefined || record[storedName(field)] !== null) continue;
      const id = related?.get(relatedKey)?.id;
      if (id === undefined)
        report.skip(
          `${plan.collection} ${key}, ${field.source}`,
          `${field.related} ${relatedKey} was not imported`,
        );
      else updates.set(record.id, { ...updates.get(record.id), [storedName(field)]: id });
    }
  }
  return grouped(updates);
}

function grouped(
  updates: ReadonlyMap<string, Readonly<Record<string, string>>>,
): ReadonlyMap<string, Change> {
  const changes = new Map<string, Change>();
  for (const [id, update] of updates) {
    const text = JSON.stringify(update);
    const change = changes.get(text) ?? { ids: [], update };
    change.ids.push(id);
    changes.set(text, change);
  }
  return changes;
}

async function setRelations(
  { target, report }: Move,
  { collection, entity }: EntityPlan,
  ids: readonly string[],
  update: Readonly<Record<string, string>>,
): Promise<void> {
  try {
    await target.records('PUT', `/api/${entity}/bulk`, { filter: { id__in: ids }, update });
  } catch (error) {
    if (!(error instanceof RejectedCall)) throw error;
    report.skip(`relations of ${ids.length} records of ${collection}`, error.message);
  }
}
