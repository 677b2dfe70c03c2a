/** Import of the items of a Directus as records. */
import Type from 'typebox';
import Value from 'typebox/value';
import type { DirectusApi } from './directus-api.ts';
import type { CollectionPlan } from './directus-model.ts';
import type { FieldPlan } from './entity-plan.ts';
import type { Move } from './move.ts';
import { importItems, type KeyedItem, keyOf } from './record-import.ts';
import { importRelations, relationsOf } from './relation-import.ts';
import { SourceError } from './source-http.ts';

const Item = Type.Record(Type.String(), Type.Unknown());

/** Creates the records of a collection that are not there yet, without their relations. */
export async function importCollection(move: Move, api: DirectusApi, plan: CollectionPlan): Promise<void> {
  const fields = plan.fields.filter(({ kind }) => kind !== 'relation');
  try {
    const onKeyless = (count: number) =>
      move.report.skip(`${count} items of ${plan.collection}`, 'have no primary key');
    for await (const items of itemsOf(api, plan, fields, onKeyless)) await importItems(move, plan, items);
  } catch (error) {
    if (!(error instanceof SourceError && error.isMissing)) throw error;
    move.report.skip(`items of ${plan.collection}`, error.message);
  }
}

/** Sets the relations of a collection's records that have none yet. */
export async function importCollectionRelations(
  move: Move,
  api: DirectusApi,
  plan: CollectionPlan,
  plans: readonly CollectionPlan[],
): Promise<void> {
  const fields = relationsOf(plan);
  if (fields.length === 0) return;
  try {
    for await (const items of itemsOf(api, plan, fields)) await importRelations(move, plan, items, plans);
  } catch (error) {
    // Reported with the items.
    if (!(error instanceof SourceError && error.isMissing)) throw error;
  }
}

/** Reads the items of a collection with these fields. Items without a key are only counted. */
async function* itemsOf(
  api: DirectusApi,
  { collection, primaryKey, isSingleton }: CollectionPlan,
  fields: readonly FieldPlan[],
  onKeyless: (count: number) => void = () => {},
): AsyncIterable<readonly KeyedItem[]> {
  const path = `/items/${encodeURIComponent(collection)}`;
  const query = { fields: [primaryKey, ...fields.map(({ source }) => source)], sort: primaryKey };
  if (isSingleton) {
    const values = await api.one(path, query);
    const item = keyed(values, primaryKey);
    // A singleton that was never saved has only defaults, without a key.
    if (item !== undefined) yield [item];
    return;
  }
  for await (const page of api.pages(path, query)) {
    const items = page.flatMap((values) => keyed(values, primaryKey) ?? []);
    if (items.length < page.length) onKeyless(page.length - items.length);
    yield items;
  }
}

function keyed(values: unknown, primaryKey: string): KeyedItem | undefined {
  const key = Value.Check(Item, values) ? keyOf(values[primaryKey]) : undefined;
  return Value.Check(Item, values) && key !== undefined ? { key, values } : undefined;
}
