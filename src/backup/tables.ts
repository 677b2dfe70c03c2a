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

/** Tables of other schemas than that of the migrations, which follow from rows of theirs. */
export interface DependentTables {
  /** SQL: whether `n.nspname` is one of their schemas. */
  readonly areIn: string;
  /** SQL: whether `a.attname` is a column of theirs that does not follow from those rows yet. */
  readonly isComing: string;
  /** SQL that locks them against changes until the transaction ends; it runs before the transaction reads anything. */
  readonly hold: string;
  /** Who has some, by the rows that are there. */
  listOwners(client: SqlExecutor): Promise<readonly string[]>;
  /** How the tables of an owner are made, by the rows that are there. */
  planOf(client: SqlExecutor, owner: string): Promise<DependentPlan>;
}

/** SQL that makes tables; each text is about one table, and may be several statements. */
export interface DependentPlan {
  /** Makes them, with nothing in them, in this order. */
  readonly make: readonly string[];
  /** Gives them indexes and rules, once their own rows are there. */
  readonly finish: readonly string[];
}

/**
 * All tables whose rows a backup has, those first that others refer to; dependent ones last, called `schema.table`, in any
 * order. The migrator's own are not among them.
 */
export async function listTables(
  client: SqlExecutor,
  { areIn, isComing }: DependentTables,
): Promise<BackupTable[]> {
  const { rows } = await client.query(`
    select case when n.nspname = 'public' then '' else n.nspname || '.' end || c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
      array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) as types
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where (n.nspname = 'public' and c.relname not in ('schema_migrations', 'schema_functions') or ${areIn})
      and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and (n.nspname = 'public' or not (${isComing}))
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

/** Whether a table is one of the migrations' schema. */
export function isOwn(name: string): boolean {
  return !name.includes('.');
}

/** A table's name for SQL. */
export function sqlTable(name: string): string {
  return name
    .split('.')
    .map((part) => pg.escapeIdentifier(part))
    .join('.');
}

/** Names for SQL, separated by commas. */
export function sqlNames(names: Iterable<string>): string {
  return [...names].map((name) => pg.escapeIdentifier(name)).join(', ');
}

/** SQL: the texts of values are the same in every session, and a table is read in the same order twice. */
export function exactTexts(until: 'session' | 'transaction'): string {
  const set = until === 'session' ? 'set' : 'set local';
  return `${set} synchronize_seqscans = off;
    ${set} datestyle = 'ISO'; ${set} timezone = 'UTC'; ${set} intervalstyle = 'postgres';
    ${set} bytea_output = 'hex'; ${set} extra_float_digits = 1`;
}
