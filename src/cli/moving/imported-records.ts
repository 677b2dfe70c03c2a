/** Finds imported records by the ids that they have in the source. */
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import type { EntityPlan } from './entity-plan.ts';
import type { Target } from './target.ts';

const MAX_IDS = 100;
/** Maximum length of a query, in characters: well below the limits of servers. */
const MAX_QUERY_CHARS = 4000;

const StoredRecord = Type.Intersect([
  Type.Object({ id: Type.String() }),
  Type.Record(Type.String(), Type.Unknown()),
]);
const Found = Type.Object({ data: Type.Array(StoredRecord) });

/** A record with the requested fields. */
export type ImportedRecord = Static<typeof StoredRecord>;

/** Returns the records of an entity by their ids in the source. */
export async function findRecords(
  target: Target,
  { entity, idField }: Pick<EntityPlan, 'entity' | 'idField'>,
  keys: readonly string[],
  fields: readonly string[] = [],
): Promise<Map<string, ImportedRecord>> {
  const found = new Map<string, ImportedRecord>();
  const selected = [idField.name, ...fields].join(',');
  for (const condition of conditionsOf(idField.name, keys)) {
    const path = `/api/${entity}?per_page=${MAX_IDS}&fields=${selected}&${condition}`;
    const answer = await target.records('GET', path);
    if (!Value.Check(Found, answer))
      throw new Error(`the response to /api/${entity} is not a Tessera response`);
    for (const record of answer.data) {
      const key = record[idField.name];
      if (typeof key === 'string') found.set(key, record);
    }
  }
  return found;
}

/** Returns queries for the keys. A key with a comma needs a query of its own, because a comma separates keys. */
function conditionsOf(field: string, keys: readonly string[]): string[] {
  const single = keys.filter((key) => key.includes(','));
  const groups: string[][] = [];
  let remaining = 0;
  for (const key of keys.filter((each) => !each.includes(','))) {
    const size = encodeURIComponent(key).length + 3;
    const last = groups.at(-1);
    if (last === undefined || size > remaining || last.length === MAX_IDS) {
      groups.push([key]);
      remaining = MAX_QUERY_CHARS - size;
    } else {
      last.push(key);
      remaining -= size;
    }
  }
  return [
    ...groups.map((group) => `${field}__in=${encodeURIComponent(group.join(','))}`),
    ...single.map((key) => `${field}=${encodeURIComponent(key)}`),
  ];
}
