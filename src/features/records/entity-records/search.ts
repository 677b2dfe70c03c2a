/** Full-text searches by their index, which row-level security keeps from the statements of requests. */
import { sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { EntityModel } from '../entities/index.ts';

/** Of more records than these a list looks at each that its other conditions leave. */
const MOST_MATCHES = 10_000;

/** The ids of all records that a search matches, whoever may see them; null when they are many. */
export async function findMatches(
  db: ScopedDb,
  model: EntityModel,
  search: string,
): Promise<string[] | null> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ found: string[] | null }>`
    select tessera_match_records(${tenantId}::uuid, ${model.table}, ${search}, ${MOST_MATCHES}::int) as found`,
  );
  return rows[0]?.found ?? null;
}
