/** Business units as callers name them: by id, slug or name. */

import type { EveryTenantDb } from '../db/every-tenant.ts';
import { invalidRequest } from '../errors/platform-errors.ts';
import type { AuthorizedUnit } from './caller.ts';
import type { ScopedDb } from './scoped-db.ts';

type NamedUnit = Pick<AuthorizedUnit, 'buId' | 'slug' | 'name'>;

/**
 * Returns the unit that a text names: an id goes before a slug, a slug before a name.
 * @throws AppError INVALID_REQUEST for the name of several units.
 */
export function unitNamed<Unit extends NamedUnit>(units: readonly Unit[], named: string): Unit | undefined {
  const id = named.toLowerCase();
  const exact = units.find(({ buId }) => buId === id) ?? units.find(({ slug }) => slug === named);
  if (exact) return exact;
  const [unit, other] = units.filter(({ name }) => name === named);
  if (other) throw invalidRequest([{ field: 'business_unit', message: AMBIGUOUS }]);
  return unit;
}

const AMBIGUOUS = 'is the name of several business units; use an id or a slug';

/** Returns the ids of units by what names them; what names none, or only an archived one, is left out. */
export async function findUnitIds(
  db: ScopedDb | EveryTenantDb,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query
    .selectFrom('business_units')
    .select(['bu_id as buId', 'slug', 'name'])
    .where('archived_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb(
          eb.cast<string>('bu_id', 'text'),
          'in',
          names.map((name) => name.toLowerCase()),
        ),
        eb('slug', 'in', names),
        eb('name', 'in', names),
      ]),
    )
    .execute();
  return new Map(
    names.flatMap((name) => {
      const unit = unitNamed(rows, name);
      return unit ? [[name, unit.buId]] : [];
    }),
  );
}
