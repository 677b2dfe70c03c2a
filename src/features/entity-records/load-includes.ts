/** Loads the relations that a request includes: one query for each, whatever the number of records. */
import type { AppError } from '../../errors/app-error.ts';
import { invalidRequest } from '../../errors/platform-errors.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { type Include, keyColumn } from './include.ts';
import { type ReadRecord, readRelated } from './read-queries.ts';

/** How many records one relation loads for all records of a page together; more is another request. */
const MOST_RELATED = 10_000;
/**
 * Characters of an answer with its included records. One record may be named by many, and each has it whole: a hundred small
 * ones that include each other four levels deep would make hundreds of megabytes.
 */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/**
 * The JSON of records with what they include: of `belongs_to` the record or null, of `has_many` an array, newest first.
 * Related records that the caller cannot see are as if absent.
 * @throws AppError INVALID_REQUEST when a relation has more records than are loaded at once, or the answer is too large.
 */
export async function withIncludes(
  db: ScopedDb,
  records: readonly ReadRecord[],
  includes: readonly Include[],
): Promise<readonly string[]> {
  const loaded = await Promise.all(includes.map((include) => load(db, records, include)));
  if (loaded.length === 0) return records.map(({ json }) => json);
  let characters = 0;
  return records.map((record) => {
    const parts = loaded.map((of) => of(record));
    const json = `${record.json.slice(0, -1)},${parts.join(',')}}`;
    characters += json.length;
    if (characters > MOST_CHARACTERS)
      throw refusedInclude('makes the answer too large; include less, or ask for fewer per_page');
    return json;
  });
}

function refusedInclude(message: string): AppError {
  return invalidRequest([{ field: 'include', message }]);
}

/** What gives a record's member of one relation: its name and JSON. */
async function load(
  db: ScopedDb,
  records: readonly ReadRecord[],
  include: Include,
): Promise<(record: ReadRecord) => string> {
  const { relation, inside } = include;
  const key = keyColumn(relation);
  const ids = [...new Set(records.flatMap((record) => record[key] ?? []))];
  const found = ids.length === 0 ? [] : await readRelated(db, include, ids, MOST_RELATED + 1);
  if (found.length > MOST_RELATED)
    throw refusedInclude(
      `${relation.name} has more than ${MOST_RELATED} records here; list ${relation.entity} by itself, or ask for fewer per_page`,
    );
  const texts = await withIncludes(db, found, inside);
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
