/** Import of the items of a Directus as records. */
import Type from 'typebox';
import Value from 'typebox/value';
import { type DirectusApi, DirectusError } from './directus-api.ts';
import { convertValue, type FieldPlan } from './directus-fields.ts';
import { fileKey } from './directus-files.ts';
import { type CollectionPlan, ID_FIELD, storedName } from './directus-model.ts';
import { findRecords } from './directus-records.ts';
import type { Move } from './move.ts';
import { RejectedCall } from './target.ts';

/** Characters of JSON per call, unless one record is larger. */
const MAX_CALL_CHARS = 500_000;

const Item = Type.Record(Type.String(), Type.Unknown());

/** An item with its primary key as text. */
interface KeyedItem {
  readonly key: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A record to create. */
interface Draft {
  readonly key: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Creates the records of a collection that are not there yet, without their relations. */
export async function carryItems(move: Move, api: DirectusApi, plan: CollectionPlan): Promise<void> {
  const fields = plan.fields.filter(({ kind }) => kind !== 'relation');
  try {
    const onKeyless = (count: number) =>
      move.report.leave(`${count} items of ${plan.collection}`, 'have no primary key');
    for await (const items of itemsOf(api, plan, fields, onKeyless))
      await carryPage(move, plan, fields, items);
  } catch (error) {
    if (!(error instanceof DirectusError && error.isMissing)) throw error;
    move.report.leave(`items of ${plan.collection}`, error.message);
  }
}

async function carryPage(
  move: Move,
  plan: CollectionPlan,
  fields: readonly FieldPlan[],
  items: readonly KeyedItem[],
): Promise<void> {
  const { target, report, isApplied } = move;
  const keys = items.map(({ key }) => key);
  const known = isApplied ? await findRecords(target, plan.entity, keys) : new Map<string, unknown>();
  report.count(`records of ${plan.collection}`, known.size);
  const drafts = items
    .filter(({ key }) => !known.has(key))
    .map((item) => ({ key: item.key, fields: toRecord(move, plan, fields, item) }));
  if (!isApplied) return report.count(`records of ${plan.collection}`, drafts.length);
  for (const batch of batchesOf(drafts)) await createRecords(move, plan, batch);
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

function keyOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function toRecord(
  move: Move,
  { collection }: CollectionPlan,
  fields: readonly FieldPlan[],
  { key, values }: KeyedItem,
): Record<string, unknown> {
  const record: Record<string, unknown> = { [ID_FIELD]: key };
  for (const field of fields) {
    const given = values[field.source];
    const read = field.kind === 'file' ? readFile(move, given) : convertValue(field.definition.type, given);
    if ('problem' in read) move.report.leave(`${collection} ${key}, ${field.source}`, read.problem);
    else record[storedName(field)] = read.value;
  }
  return record;
}

/** Returns the URL of an imported file. */
function readFile({ state, isApplied }: Move, value: unknown): { value: unknown } | { problem: string } {
  const id = keyOf(value);
  if (id === undefined || !isApplied) return { value: null };
  const url = state.get(fileKey(id));
  return url === undefined ? { problem: `the file ${id} was not carried over` } : { value: url };
}

/** Divides records into calls of a limited size. */
function batchesOf(drafts: readonly Draft[]): Draft[][] {
  const batches: Draft[][] = [];
  let room = 0;
  for (const draft of drafts) {
    const size = JSON.stringify(draft.fields).length;
    const last = batches.at(-1);
    if (last === undefined || size > room) {
      batches.push([draft]);
      room = MAX_CALL_CHARS - size;
    } else {
      last.push(draft);
      room -= size;
    }
  }
  return batches;
}

/** Creates records. Values that the server rejects are left out and reported, and so are records with other faults. */
async function createRecords(move: Move, plan: CollectionPlan, drafts: readonly Draft[]): Promise<void> {
  const { target, report } = move;
  try {
    await target.records('POST', `/api/${plan.entity}/bulk`, { records: drafts.map(({ fields }) => fields) });
    report.count(`records of ${plan.collection}`, drafts.length);
    return;
  } catch (error) {
    if (!(error instanceof RejectedCall)) throw error;
    const rest = withoutRejected(move, plan, drafts, error);
    if (rest !== undefined) return createRecords(move, plan, rest);
    const [first, ...others] = drafts;
    if (first === undefined) return;
    if (others.length === 0) return report.leave(`${plan.collection} ${first.key}`, error.message);
  }
  const middle = Math.ceil(drafts.length / 2);
  await createRecords(move, plan, drafts.slice(0, middle));
  await createRecords(move, plan, drafts.slice(middle));
}

/** Returns the records without the values that were rejected; undefined if that changes none. */
function withoutRejected(
  { report }: Move,
  plan: CollectionPlan,
  drafts: readonly Draft[],
  { issues }: RejectedCall,
): readonly Draft[] | undefined {
  const rejected = new Map<number, Set<string>>();
  for (const { field, message } of issues) {
    const [, index = '', name = ''] = /^records\[(\d+)\]\.(\w+)/.exec(field) ?? [];
    const draft = drafts[Number(index)];
    if (index === '' || draft === undefined || name === ID_FIELD || !(name in draft.fields)) continue;
    const names = rejected.get(Number(index)) ?? new Set();
    if (!names.has(name)) {
      const source = plan.fields.find((each) => storedName(each) === name)?.source ?? name;
      report.leave(`${plan.collection} ${draft.key}, ${source}`, message);
    }
    rejected.set(Number(index), names.add(name));
  }
  if (rejected.size === 0) return undefined;
  return drafts.map(({ key, fields }, index) => ({
    key,
    fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !rejected.get(index)?.has(name))),
  }));
}

/** Sets the relations of records that have none yet. */
export async function carryRelations(
  move: Move,
  api: DirectusApi,
  plan: CollectionPlan,
  plans: readonly CollectionPlan[],
) {
  const fields = plan.fields.filter((field) => field.kind === 'relation');
  const entities = new Map(plans.map(({ collection, entity }) => [collection, entity]));
  if (fields.length === 0) return;
  try {
    for await (const items of itemsOf(api, plan, fields)) {
      const changes = await relationsOf(move, plan, { items, fields, entities });
      for (const { ids, update } of changes.values()) await setRelations(move, plan, ids, update);
    }
  } catch (error) {
    // Reported with the items.
    if (!(error instanceof DirectusError && error.isMissing)) throw error;
  }
}

interface Change {
  readonly ids: string[];
  readonly update: Readonly<Record<string, string>>;
}

interface RelationPage {
  readonly items: readonly KeyedItem[];
  readonly fields: readonly (FieldPlan & { readonly kind: 'relation' })[];
  readonly entities: ReadonlyMap<string, string>;
}

/** Returns the relations to set, with the records that get the same ones together. */
async function relationsOf(
  { target, report }: Move,
  plan: CollectionPlan,
  { items, fields, entities }: RelationPage,
): Promise<ReadonlyMap<string, Change>> {
  const names = fields.map(storedName);
  const own = await findRecords(
    target,
    plan.entity,
    items.map(({ key }) => key),
    names,
  );
  const updates = new Map<string, Record<string, string>>();
  for (const field of fields) {
    const keys = items.flatMap(({ values }) => keyOf(values[field.source]) ?? []);
    const related = await findRecords(target, entities.get(field.related) ?? '', [...new Set(keys)]);
    for (const { key, values } of items) {
      const record = own.get(key);
      const relatedKey = keyOf(values[field.source]);
      if (record === undefined || relatedKey === undefined || record[storedName(field)] !== null) continue;
      const id = related.get(relatedKey)?.id;
      if (id === undefined)
        report.leave(
          `${plan.collection} ${key}, ${field.source}`,
          `${field.related} ${relatedKey} was not carried over`,
        );
      else updates.set(record.id, { ...updates.get(record.id), [storedName(field)]: id });
    }
  }
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
  { collection, entity }: CollectionPlan,
  ids: readonly string[],
  update: Readonly<Record<string, string>>,
): Promise<void> {
  try {
    await target.records('PUT', `/api/${entity}/bulk`, { filter: { id__in: ids }, update });
  } catch (error) {
    if (!(error instanceof RejectedCall)) throw error;
    report.leave(`relations of ${ids.length} records of ${collection}`, error.message);
  }
}
