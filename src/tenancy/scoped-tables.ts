import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** The scope columns that a table has. */
export interface ScopedTable {
  readonly has_tenant: boolean;
  readonly is_owned: boolean;
  /** A row marked `shared` belongs to the tenant as a whole. */
  readonly is_shareable: boolean;
}

/** Tables without a tenant that scoped statements may use, and why they reveal nothing about other tenants. */
const GLOBAL_TABLES: Readonly<Record<string, string>> = {
  users: 'a user may belong to several tenants, and is found by a membership or by a known address',
};

/** Thrown when a scoped statement names an unknown or deleted table. */
export class UnknownTableError extends Error {}

/** The schema of tables that are named without a schema. */
export const DEFAULT_SCHEMA = 'public';

/**
 * Tables that scoped statements may use, by schema and name, from PostgreSQL's catalogue or the definitions of
 * entities. Unknown tables are rejected, so no list has to be maintained.
 */
export class ScopedTables {
  readonly #database: Database;
  readonly #schemas = new Map<string, ReadonlyMap<string, ScopedTable>>();
  readonly #registered = new Map<string, WeakRef<ReadonlyMap<string, ScopedTable>>>();
  readonly #collected = new FinalizationRegistry<string>((schema) => {
    if (this.#registered.get(schema)?.deref() === undefined) this.#registered.delete(schema);
  });

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Creates an instance with the tables of the public schema. */
  static async load(database: Database): Promise<ScopedTables> {
    const tables = new ScopedTables(database);
    await tables.learn(DEFAULT_SCHEMA);
    return tables;
  }

  /** Reads and registers the tables of a schema. */
  async learn(schema: string): Promise<void> {
    this.#schemas.set(schema, await this.read(schema));
  }

  /** Reads the tables of a schema from the catalogue, by name. */
  async read(schema: string): Promise<ReadonlyMap<string, ScopedTable>> {
    const { rows } = await this.#database.lookUp(
      'catalogue',
      sql<ScopedTable & { name: string }>`
        select c.relname as name, coalesce(bool_or(a.attname = 'tenant_id'), false) as has_tenant,
          coalesce(bool_or(a.attname = 'owner_bu_id'), false) as is_owned,
          coalesce(bool_or(a.attname = 'shared'), false) as is_shareable
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        left join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
        where n.nspname = ${schema} and c.relkind in ('r', 'p')
        group by c.relname`,
    );
    return new Map(rows.map(({ name, ...facts }) => [name, facts]));
  }

  /**
   * Registers the tables of a schema until `tables` is garbage-collected. For schemas of tenants: they are too many to
   * keep, and follow from definitions, so the catalogue need not be read.
   */
  registerTables(schema: string, tables: ReadonlyMap<string, ScopedTable>): void {
    this.#registered.set(schema, new WeakRef(tables));
    this.#collected.register(tables, schema);
  }

  /**
   * Returns a table. @throws UnknownTableError if it is unknown, and Error if it has no tenant and is not listed as
   * global.
   */
  get(schema: string, name: string): ScopedTable {
    const table = (this.#schemas.get(schema) ?? this.#registered.get(schema)?.deref())?.get(name);
    if (table === undefined)
      throw new UnknownTableError(`A scoped statement names ${schema}.${name}, which is not known.`);
    if (!table.has_tenant && !(schema === DEFAULT_SCHEMA && name in GLOBAL_TABLES))
      throw new Error(`A scoped statement names ${schema}.${name}, which has no tenant_id.`);
    return table;
  }
}
