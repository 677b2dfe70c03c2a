import type { MemberContext } from '../../../http/context.ts';
import { readsShared } from '../../../resources/ownership.ts';
import type { FoundRecord, RecordSearch } from '../../../resources/record-search.ts';
import { MAX_PER_KIND, type SearchBody, type SearchResults } from './schema.ts';

const DEFAULT_RESULTS = 20;

/**
 * Returns records that the caller may see: first those that the query identifies, then those with such a name. Within
 * both, kinds are in the order of the features.
 */
export async function searchRecords(
  ctx: MemberContext,
  searches: readonly RecordSearch[],
  { query, types, limit = DEFAULT_RESULTS }: SearchBody,
): Promise<SearchResults> {
  const text = query.trim();
  if (text === '' || !readsShared(ctx.caller)) return { results: [] };
  const searched = searches.filter(
    ({ entityType, isVisible }) => (types?.includes(entityType) ?? true) && (isVisible?.(ctx.caller) ?? true),
  );
  const found = new Map<string, FoundRecord>();
  for (const find of ['findExact', 'findNamed'] as const)
    for (const search of searched) {
      const isOfKind = ({ entityType }: FoundRecord) => entityType === search.entityType;
      const known = [...found.values()].filter(isOfKind).length;
      if (known === MAX_PER_KIND || found.size >= limit) continue;
      const records = await search[find](ctx, text, MAX_PER_KIND);
      const added = records.filter((record) => !found.has(idOf(record))).slice(0, MAX_PER_KIND - known);
      for (const record of added) found.set(idOf(record), record);
    }
  return { results: [...found.values()].slice(0, limit).map(toResult) };
}

function idOf({ entityType, key }: FoundRecord): string {
  return `${entityType} ${key}`;
}

function toResult({ entityType, key, title, subtitle, ownerBuId }: FoundRecord) {
  return { entity_type: entityType, key, title, subtitle, business_unit: ownerBuId };
}
