/** How many more columns a table can be given: PostgreSQL never gives the number of a dropped one to another. */
import { sql } from 'kysely';
import { ruleBroken } from '../../../errors/platform-errors.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { Plan } from './plan.ts';
import type { TablePlace } from './table-sql.ts';

/** The numbers that a table has for its columns, in all its time. */
const MOST_COLUMNS = 1600;

/** @throws AppError VALIDATION_ERROR when the table, which is locked, has no numbers left for the columns that a plan adds. */
export async function requireRoom(
  tx: ScopedDb,
  { schema, entity }: TablePlace,
  { reshape, constrain }: Plan,
): Promise<void> {
  const added = [...reshape, ...constrain].filter(
    (step) => step.do === 'add_column' || step.do === 'add_search',
  ).length;
  if (added === 0) return;
  const { rows } = await tx.raw(
    (tenantId) => sql<{ given: number }>`
      select max(attnum)::int as given, ${tenantId}::uuid from pg_attribute
      where attrelid = ${`"${schema}"."${entity}"`}::text::regclass`,
  );
  const left = MOST_COLUMNS - (rows[0]?.given ?? 0);
  if (added > left)
    throw ruleBroken(
      'fields',
      `need ${added} columns, of which the table has ${left} left, as those that were removed count too; define the entity anew under another name, and copy its records`,
    );
}
