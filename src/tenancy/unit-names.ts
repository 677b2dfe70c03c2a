/** Resolution of business units by id, slug or name. */

import type { EveryTenantDb } from '../db/every-tenant.ts';
import { invalidRequest } from '../errors/platform-errors.ts';
import type { AuthorizedUnit } from './caller.ts';
import type { ScopedDb } from './scoped-db.ts';

type NamedUnit = Pick<AuthorizedUnit, 'buId' | 'slug' | 'name'>;

/**
 * Returns the unit with this id, slug or name, in that order of preference.
 * @throws AppError INVALID_REQUEST if several units have the name.
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

/** Returns ids of units by id, slug or name; unknown and archived units are omitted. */
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
