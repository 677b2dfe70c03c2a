import pg from 'pg';
import { childrenFirst, type Reference } from '../db/table-order.ts';

/** A connection as the owner of the tables. */
export interface SqlExecutor {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** A table with its columns and their types, as PostgreSQL names them. */
export interface BackupTable {
  readonly name: string;
  readonly columns: ReadonlyMap<string, string>;
}

/** All tables whose rows a backup has, those first that others refer to. The migrator's own are not among them. */
export async function listTables(client: SqlExecutor): Promise<BackupTable[]> {
  const { rows } = await client.query(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
      array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) as types
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname not in ('schema_migrations', 'schema_functions')
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`);
  const tables = new Map(rows.map((row) => [String(row.name), readTable(row)]));
  const references = await client.query(`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`);
  const order = childrenFirst([...tables.keys()], references.rows.map(readReference));
  return order.reverse().flatMap((name) => tables.get(name) ?? []);
}

function readTable({ name, columns, types }: Record<string, unknown>): BackupTable {
  const [names, kinds] = [toTexts(columns), toTexts(types)];
  return { name: String(name), columns: new Map(names.map((column, index) => [column, kinds[index] ?? ''])) };
}

function readReference({ child, parent }: Record<string, unknown>): Reference {
  return { child: String(child), parent: String(parent) };
}

function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Names for SQL, separated by commas. */
export function sqlNames(names: Iterable<string>): string {
  return [...names].map((name) => pg.escapeIdentifier(name)).join(', ');
}

/** The texts of values are the same in every session, and a table is read in the same order twice. */
export const EXACT_TEXTS = `
  set local synchronize_seqscans = off;
  set local datestyle = 'ISO'; set local timezone = 'UTC'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1`;
