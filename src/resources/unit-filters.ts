/** Filters by the owning business unit, by id, slug or name. */
import { findUnitIds } from '../tenancy/unit-names.ts';
import type { RowsDb } from './compiled-statements.ts';
import { isUuid } from './keys.ts';
import type { Resource } from './resource.ts';

type Filters = Readonly<Record<string, unknown>>;

/**
 * Replaces slugs and names of units in filters by ids; unknown names stay and match nothing.
 * @throws AppError INVALID_REQUEST if several units have the name.
 */
export async function withUnitIds(
  db: RowsDb,
  { ownerName, filters: { fields } }: Pick<Resource, 'ownerName' | 'filters'>,
  filters: Filters | undefined,
): Promise<Filters | undefined> {
  const value = filters?.[ownerName];
  if (value === undefined || fields[ownerName]?.type !== 'id') return filters;
  const names = namesIn(value);
  if (names.length === 0) return filters;
  const ids = await findUnitIds(db, names);
  return { ...filters, [ownerName]: replaceNames(value, ids) };
}

/** Returns the texts in a filter that can name a unit. It includes operation names, which is harmless. */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return isUuid(value) ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : [];
}

function replaceNames(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each: unknown) => replaceNames(each, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'operation' ? each : replaceNames(each, ids),
    ]),
  );
}
