/** Tables with data of tenants, read from the PostgreSQL catalog, so that tables of later migrations are included. */
import { sql } from 'kysely';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import { childrenFirst, type Reference } from '../../../db/table-order.ts';

/** Lists tables of tenants, except those in `excluded`, in an order in which foreign keys allow deleting their rows. */
export async function listDataTables(all: EveryTenantDb, excluded: ReadonlySet<string>): Promise<string[]> {
  const tables = await all.raw(sql<{ name: string }>`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname = 'tenant_id' and not a.attisdropped
    order by c.relname`);
  const references = await all.raw(sql<Reference>`
    select child.relname as child, parent.relname as parent
    from pg_constraint f
    join pg_class child on child.oid = f.conrelid
    join pg_class parent on parent.oid = f.confrelid
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace`);
  const names = tables.rows.map((row) => row.name).filter((name) => !excluded.has(name));
  return childrenFirst(names, references.rows);
}

/** Lists the primary key columns of each table that follow `tenant_id`. */
export async function listPrimaryKeys(all: EveryTenantDb): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await all.raw(sql<{ name: string; key: readonly string[] }>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as key
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
    where i.indisprimary and c.relnamespace = 'public'::regnamespace and a.attname <> 'tenant_id'
    group by c.relname`);
  return new Map(rows.map(({ name, key }) => [name, key]));
}
