import { type Kysely, sql } from 'kysely';
import type { Tables } from '../db/tables.ts';

/**
 * Names of the tables that hold one tenant's rows, of those among them whose rows a business unit owns, and of
 * those among these where a row marked `shared` belongs to the tenant as a whole.
 */
export interface ScopedTables {
  readonly tenant: ReadonlySet<string>;
  readonly owned: ReadonlySet<string>;
  readonly shareable: ReadonlySet<string>;
}

/** Reads from the catalogue which tables have `tenant_id`, `owner_bu_id` and `shared`: no list can be forgotten. */
export async function loadScopedTables(db: Kysely<Tables>): Promise<ScopedTables> {
  const { rows } = await sql<{ table_name: string; column_name: string }>`
    select c.relname as table_name, a.attname as column_name
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and a.attname in ('tenant_id', 'owner_bu_id', 'shared') and not a.attisdropped`.execute(db);
  const having = (column: string) =>
    new Set(rows.filter((row) => row.column_name === column).map((row) => row.table_name));
  return { tenant: having('tenant_id'), owned: having('owner_bu_id'), shareable: having('shared') };
}
