/** Loads the relations that a request includes: one query for each, whatever the number of records. */
import type { AppError } from '../../../errors/app-error.ts';
import { invalidRequest } from '../../../errors/platform-errors.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { AnswerRoom } from './answer-room.ts';
import { type Include, keyColumn } from './include.ts';
import { type ReadRecord, readRelated } from './read-queries.ts';

/** How many records one relation loads for all records of a page together; more is another request. */
const MOST_RELATED = 10_000;

/**
 * The JSON of records with what they include: of `belongs_to` the record or null, of `has_many` an array, newest first.
 * Related records that the caller cannot see are as if absent. One record may be named by many, and each has it whole: a
 * hundred small ones that include each other four levels deep would make hundreds of megabytes, which `room` does not have.
 * @throws AppError INVALID_REQUEST when a relation has more records than are loaded at once, or the answer is too large.
 */
export async function withIncludes(
  db: ScopedDb,
  records: readonly ReadRecord[],
  includes: readonly Include[],
  room: AnswerRoom,
): Promise<readonly string[]> {
  if (includes.length === 0) return records.map(({ json }) => json);
  const loaded: ((record: ReadRecord) => string)[] = [];
  // One after the other: what they read may be large, and together no more than an answer.
  for (const include of includes) loaded.push(await load(db, records, include, room));
  let characters = 0;
  return records.map((record) => {
    const parts = loaded.map((of) => of(record));
    const json = `${record.json.slice(0, -1)},${parts.join(',')}}`;
    characters += json.length;
    if (characters > room.characters) throw tooLarge();
    return json;
  });
}

/** That an answer with what it includes would be longer than answers are. */
export function tooLarge(): AppError {
  return refusedInclude('makes the answer too large; include less, or ask for fewer per_page');
}

function refusedInclude(message: string): AppError {
  return invalidRequest([{ field: 'include', message }]);
}

/** What gives a record's member of one relation: its name and JSON. */
async function load(
  db: ScopedDb,
  records: readonly ReadRecord[],
  include: Include,
  room: AnswerRoom,
): Promise<(record: ReadRecord) => string> {
  const { relation, inside } = include;
  const key = keyColumn(relation);
  const ids = [...new Set(records.flatMap((record) => record[key] ?? []))];
  const found = ids.length === 0 ? [] : await readWithin(db, include, ids, room);
  if (found.length > MOST_RELATED)
    throw refusedInclude(
      `${relation.name} has more than ${MOST_RELATED} records here; list ${relation.entity} by itself, or ask for fewer per_page`,
    );
  const texts = await withIncludes(db, found, inside, room);
  const name = JSON.stringify(relation.name);
  if (relation.kind === 'belongs_to') {
    const byId = new Map(found.map((each, place) => [each.id ?? '', texts[place] ?? 'null']));
    return (record) => `${name}:${byId.get(record[key] ?? '') ?? 'null'}`;
  }
  const byParent = Map.groupBy(found.keys(), (place) => found[place]?.[relation.column] ?? '');
  return (record) => {
    const places = byParent.get(record[key] ?? '') ?? [];
    return `${name}:[${places.map((place) => texts[place]).join(',')}]`;
  };
}

/** Related records; those that are large together are read when there is memory for them. */
async function readWithin(
  db: ScopedDb,
  include: Include,
  ids: readonly string[],
  room: AnswerRoom,
): Promise<readonly ReadRecord[]> {
  const read = (bytes: number) => readRelated(db, include, ids, { records: MOST_RELATED + 1, bytes });
  const small = await read(room.atOnce);
  if (small !== null) return room.keep(small);
  await room.takeMemory();
  const found = await read(room.left);
  if (found === null) throw tooLarge();
  return room.keep(found);
}
