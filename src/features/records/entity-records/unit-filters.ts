/** Filters by unit, which may be an id, a slug or a name. */
import { isUuid } from '../../../resources/keys.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { findUnitIds } from '../../../tenancy/unit-names.ts';
import type { EntityModel } from '../entities/index.ts';
import { showsUnit } from './shown-fields.ts';

const UNIT_KEY = /^business_unit(?:__|$)/;
const LIST_KEY = /__n?in$/;

/** Returns the filters with slugs and names of units replaced by ids. Unknown units stay as they are. */
export async function withUnitIds<Filters extends Readonly<Record<string, unknown>>>(
  db: ScopedDb,
  model: EntityModel,
  filters: Filters,
): Promise<Filters> {
  if (!showsUnit(model)) return filters;
  const unitFilters = Object.entries(filters).filter(
    ([key]) => UNIT_KEY.test(key) && !key.endsWith('__null'),
  );
  const names = unitFilters.flatMap(([key, value]) => textsIn(key, value)).filter((text) => !isUuid(text));
  if (names.length === 0) return filters;
  const ids = await findUnitIds(db, names);
  const replaced = unitFilters.map(([key, value]): [string, unknown] => {
    const texts = textsIn(key, value).map((text) => ids.get(text) ?? text);
    if (Array.isArray(value)) return [key, texts.length === value.length ? texts : value];
    return [key, typeof value === 'string' ? texts.join(',') : value];
  });
  return { ...filters, ...Object.fromEntries(replaced) };
}

function textsIn(key: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string');
  if (typeof value !== 'string') return [];
  return LIST_KEY.test(key) ? value.split(',') : [value];
}
