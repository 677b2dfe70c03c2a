/** Loads included relations with one query each, however many records there are. */
import type { AppError } from '../../../errors/app-error.ts';
import { invalidRequest } from '../../../errors/platform-errors.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { AnswerBudget } from './answer-budget.ts';
import { type Include, keyColumn } from './include.ts';
import { type ReadRecord, readRelated } from './read-queries.ts';

/** Maximum number of records that one relation loads for a page. */
const MAX_RELATED = 10_000;

/**
 * Returns the JSON of records with their related records: a record or null for `belongs_to`, an array for `has_many`,
 * newest first. Related records that the caller cannot see are left out.
 * If many records include the same one, each contains a full copy: a hundred small records that include each other four
 * levels deep would need hundreds of megabytes. The budget prevents this.
 * @throws AppError INVALID_REQUEST if a relation has too many records, or the response is too large.
 */
export async function withIncludes(
  db: ScopedDb,
  records: readonly ReadRecord[],
  includes: readonly Include[],
  budget: AnswerBudget,
): Promise<readonly string[]> {
  if (includes.length === 0) return records.map(({ json }) => json);
  const loaded: ((record: ReadRecord) => string)[] = [];
  // One after the other: each may be large, and all share one budget.
  for (const include of includes) loaded.push(await load(db, records, include, budget));
  let characters = 0;
  return records.map((record) => {
    const parts = loaded.map((memberOf) => memberOf(record));
    const json = `${record.json.slice(0, -1)},${parts.join(',')}}`;
    characters += json.length;
    if (characters > budget.characters) throw tooLarge();
    return json;
  });
}

/** Returns the error for a response that is too large. */
export function tooLarge(): AppError {
  return refusedInclude('makes the response too large; include less, or use a smaller per_page');
}

function refusedInclude(message: string): AppError {
  return invalidRequest([{ field: 'include', message }]);
}

/** Loads one relation; returns a function that gives a record's member for it, name and JSON. */
async function load(
  db: ScopedDb,
  records: readonly ReadRecord[],
  include: Include,
  budget: AnswerBudget,
): Promise<(record: ReadRecord) => string> {
  const { relation, inside } = include;
  const key = keyColumn(relation);
  const ids = [...new Set(records.flatMap((record) => record[key] ?? []))];
  const found = ids.length === 0 ? [] : await readWithinBudget(db, include, ids, budget);
  if (found.length > MAX_RELATED)
    throw refusedInclude(
      `${relation.name} has more than ${MAX_RELATED} records here; list ${relation.entity} separately, or use a smaller per_page`,
    );
  const texts = await withIncludes(db, found, inside, budget);
  const name = JSON.stringify(relation.name);
  if (relation.kind === 'belongs_to') {
    const byId = new Map(found.map((each, index) => [each.id ?? '', texts[index] ?? 'null']));
    return (record) => `${name}:${byId.get(record[key] ?? '') ?? 'null'}`;
  }
  const byParent = Map.groupBy(found.keys(), (index) => found[index]?.[relation.column] ?? '');
  return (record) => {
    const indexes = byParent.get(record[key] ?? '') ?? [];
    return `${name}:[${indexes.map((index) => texts[index]).join(',')}]`;
  };
}

/** Reads related records; waits for memory if their total size is large. */
async function readWithinBudget(
  db: ScopedDb,
  include: Include,
  ids: readonly string[],
  budget: AnswerBudget,
): Promise<readonly ReadRecord[]> {
  const read = (bytes: number) => readRelated(db, include, ids, { records: MAX_RELATED + 1, bytes });
  const small = await read(budget.readable);
  if (small !== null) return budget.deduct(small);
  await budget.reserveMemory();
  const found = await read(budget.remaining);
  if (found === null) throw tooLarge();
  return budget.deduct(found);
}
