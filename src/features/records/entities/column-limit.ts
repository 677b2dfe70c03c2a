/** Limit of columns per table: PostgreSQL never reuses the number of a dropped column. */
import { sql } from 'kysely';
import { ruleBroken } from '../../../errors/platform-errors.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { EntityTable } from './entity-table.ts';
import type { Plan } from './plan.ts';

/** Column numbers that a table can use up in its lifetime. */
const MAX_COLUMNS = 1600;

/** @throws AppError VALIDATION_ERROR if the table, which must be locked, has too few column numbers left for a plan. */
export async function requireFreeColumns(
  tx: ScopedDb,
  { schema, entity }: EntityTable,
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
  const left = MAX_COLUMNS - (rows[0]?.given ?? 0);
  if (added > left)
    throw ruleBroken(
      'fields',
      `need ${added} columns, but the table has ${left} left because removed columns count too; define a new entity and copy the records`,
    );
}
