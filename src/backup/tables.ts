import pg from 'pg';
import { childrenFirst, type Reference } from '../db/table-order.ts';

/** A connection with the role of the tables' owner. */
export interface SqlExecutor {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** A table with its columns and their types, as PostgreSQL names them. */
export interface BackupTable {
  readonly name: string;
  readonly columns: ReadonlyMap<string, string>;
}

/** Tables of other schemas, which are derived from rows of the public schema. */
export interface DependentTables {
  /** SQL that is true if `n.nspname` is one of these schemas. */
  readonly isInSchema: string;
  /** SQL that is true if `a.attname` is a column of these tables that is still being added. */
  readonly isBeingAdded: string;
  /** SQL that locks these tables against changes until the transaction ends; runs before its first read. */
  readonly lock: string;
  /** Returns the owners of such tables, according to existing rows. */
  listOwners(client: SqlExecutor): Promise<readonly string[]>;
  /** Returns the SQL that creates the tables of an owner, according to existing rows. */
  planOf(client: SqlExecutor, owner: string): Promise<DependentPlan>;
}

/** SQL that creates tables; each text is about one table, and may be several statements. */
export interface DependentPlan {
  /** Creates the empty tables, in this order. */
  readonly create: readonly string[];
  /** Creates indexes and constraints, after the rows are inserted. */
  readonly finish: readonly string[];
}

/**
 * Returns all tables of a backup. Referenced tables come first, dependent ones last, as `schema.table` in any order.
 * The migrator's tables are not included.
 */
export async function listTables(
  client: SqlExecutor,
  { isInSchema, isBeingAdded }: DependentTables,
): Promise<BackupTable[]> {
  const { rows } = await client.query(`
    select case when n.nspname = 'public' then '' else n.nspname || '.' end || c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
      array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) as types
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where (n.nspname = 'public' and c.relname not in ('schema_migrations', 'schema_functions') or ${isInSchema})
      and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and (n.nspname = 'public' or not (${isBeingAdded}))
    group by n.nspname, c.relname order by n.nspname <> 'public', n.nspname, c.relname`);
  const tables = new Map(rows.map((row) => [String(row.name), readTable(row)]));
  const references = await client.query(`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`);
  const [own, dependent] = [
    [...tables.keys()].filter(isOwn),
    [...tables.keys()].filter((name) => !isOwn(name)),
  ];
  const order = childrenFirst(own, references.rows.map(readReference)).reverse();
  return [...order, ...dependent].flatMap((name) => tables.get(name) ?? []);
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

/** True for a table of the migrations' schema. */
export function isOwn(name: string): boolean {
  return !name.includes('.');
}

/** Returns the quoted name of a table. */
export function sqlTable(name: string): string {
  return name
    .split('.')
    .map((part) => pg.escapeIdentifier(part))
    .join('.');
}

/** Returns quoted names, separated by commas. */
export function sqlNames(names: Iterable<string>): string {
  return [...names].map((name) => pg.escapeIdentifier(name)).join(', ');
}

/** Returns SQL that makes the text of values equal in all sessions, and repeated reads of a table equal in order. */
export function exactTexts(until: 'session' | 'transaction'): string {
  const set = until === 'session' ? 'set' : 'set local';
  return `${set} synchronize_seqscans = off;
    ${set} datestyle = 'ISO'; ${set} timezone = 'UTC'; ${set} intervalstyle = 'postgres';
    ${set} bytea_output = 'hex'; ${set} extra_float_digits = 1`;
}
