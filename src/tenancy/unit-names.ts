/** Resolution of business units by id, slug or name. */
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import type { Tables } from '../db/tables.ts';
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

/**
 * Filter SQL on the owning unit of a row by id, slug or name, for filters that are stored: they are resolved when they
 * are evaluated. `column` is the row's `owner_bu_id`.
 */
export function unitNamedIn(column: string) {
  const eb = expressionBuilder<Tables, never>();
  return (compare: (value: Expression<unknown>) => Expression<SqlBool>): Expression<SqlBool> =>
    eb.exists(
      eb
        .selectFrom('business_units as unit')
        .select('unit.bu_id')
        .where('unit.bu_id', '=', sql.ref<string>(column))
        .where((where) =>
          where.or([
            compare(sql`${sql.ref('unit.bu_id')}::text`),
            compare(sql.ref('unit.slug')),
            compare(sql.ref('unit.name')),
          ]),
        ),
    );
}
