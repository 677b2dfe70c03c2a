/** Creation of records for the items of a source. */
import { assetKey } from './asset-import.ts';
import { type EntityPlan, type FieldPlan, storedName } from './entity-plan.ts';
import { type ConvertedValue, convertValue } from './entity-values.ts';
import { findRecords } from './imported-records.ts';
import type { Move } from './move.ts';
import { RejectedCall } from './target.ts';

/** Characters of JSON per call, unless one record is larger. */
const MAX_CALL_CHARS = 500_000;

/** An item with its primary key as text. */
export interface KeyedItem {
  readonly key: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A record to create. */
export interface RecordDraft {
  readonly key: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Creates the records of items that are not there yet, without their relations. */
export async function importItems(move: Move, plan: EntityPlan, items: readonly KeyedItem[]): Promise<void> {
  const fields = plan.fields.filter(({ kind }) => kind !== 'relation');
  const missing = await withoutKnown(move, plan, items);
  const drafts = missing.map(({ key, values }) => ({
    key,
    fields: toFields(move, plan, fields, { key, values }),
  }));
  await createMissing(move, plan, drafts);
}

/** Returns the items without a record, and counts the others. In a dry run these are all. */
export async function withoutKnown<Item extends { readonly key: string }>(
  { target, report, isApplied }: Move,
  plan: EntityPlan,
  items: readonly Item[],
): Promise<readonly Item[]> {
  if (!isApplied) return items;
  const keys = items.map(({ key }) => key);
  const known = await findRecords(target, plan, keys);
  if (known.size > 0) report.count(`records of ${plan.collection}`, known.size);
  return items.filter(({ key }) => !known.has(key));
}

/** Creates records, which are only counted in a dry run. */
export async function createMissing(
  move: Move,
  plan: EntityPlan,
  drafts: readonly RecordDraft[],
): Promise<void> {
  if (!move.isApplied) return move.report.count(`records of ${plan.collection}`, drafts.length);
  for (const batch of batchesOf(drafts)) await createRecords(move, plan, batch);
}

function toFields(
  move: Move,
  { collection }: EntityPlan,
  fields: readonly FieldPlan[],
  { key, values }: KeyedItem,
): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const field of fields) {
    const given = values[field.source];
    const read = field.kind === 'file' ? readFile(move, given) : convertValue(field.definition.type, given);
    if ('problem' in read) move.report.skip(`${collection} ${key}, ${field.source}`, read.problem);
    else record[storedName(field)] = read.value;
  }
  return record;
}

/** Returns a primary key as text; undefined if it is none. */
export function keyOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Returns the URL of an imported file. */
function readFile({ state, isApplied }: Move, value: unknown): ConvertedValue {
  const id = keyOf(value);
  if (id === undefined || !isApplied) return { value: null };
  const url = state.get(assetKey(id));
  return url === undefined ? { problem: `the file ${id} was not imported` } : { value: url };
}

/** Divides records into calls of a limited size. */
function batchesOf(drafts: readonly RecordDraft[]): RecordDraft[][] {
  const batches: RecordDraft[][] = [];
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
async function createRecords(move: Move, plan: EntityPlan, drafts: readonly RecordDraft[]): Promise<void> {
  const { target, report } = move;
  const records = drafts.map(({ key, fields }) => ({ [plan.idField.name]: key, ...fields }));
  try {
    await target.records('POST', `/api/${plan.entity}/bulk`, { records });
    report.count(`records of ${plan.collection}`, drafts.length);
    return;
  } catch (error) {
    if (!(error instanceof RejectedCall)) throw error;
    const rest = withoutRejected(move, plan, drafts, error);
    if (rest !== undefined) return createRecords(move, plan, rest);
    const [first, ...others] = drafts;
    if (first === undefined) return;
    if (others.length === 0) return report.skip(`${plan.collection} ${first.key}`, error.message);
  }
  const middle = Math.ceil(drafts.length / 2);
  await createRecords(move, plan, drafts.slice(0, middle));
  await createRecords(move, plan, drafts.slice(middle));
}

/** Returns the records without the values that were rejected; undefined if that changes none. */
function withoutRejected(
  { report }: Move,
  plan: EntityPlan,
  drafts: readonly RecordDraft[],
  { issues }: RejectedCall,
): readonly RecordDraft[] | undefined {
  const rejected = new Map<number, Set<string>>();
  for (const { field, message } of issues) {
    const [, index = '', name = ''] = /^records\[(\d+)\]\.(\w+)/.exec(field) ?? [];
    const draft = drafts[Number(index)];
    if (index === '' || draft === undefined || !(name in draft.fields)) continue;
    const names = rejected.get(Number(index)) ?? new Set();
    if (!names.has(name)) {
      const source = plan.fields.find((each) => storedName(each) === name)?.source ?? name;
      report.skip(`${plan.collection} ${draft.key}, ${source}`, message);
    }
    rejected.set(Number(index), names.add(name));
  }
  if (rejected.size === 0) return undefined;
  return drafts.map(({ key, fields }, index) => ({
    key,
    fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !rejected.get(index)?.has(name))),
  }));
}
