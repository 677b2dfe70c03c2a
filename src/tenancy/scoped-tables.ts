import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Which of the columns that a scope narrows by a table has. */
export interface ScopedTable {
  readonly has_tenant: boolean;
  readonly is_owned: boolean;
  /** A row marked `shared` belongs to the tenant as a whole. */
  readonly is_shareable: boolean;
}

/** Tables without tenants that scoped statements may name, and why that shows nothing of another tenant. */
const GLOBAL_TABLES: Readonly<Record<string, string>> = {
  users:
    'a person may belong to several tenants, and is reached by a membership or by an address that is known',
};

/** The schema of tables that are named without one. */
export const USUAL_SCHEMA = 'public';

/**
 * The tables that scoped statements may name, by schema and name, as PostgreSQL's catalogue has them: no list can be
 * forgotten, and a table that is not known is refused.
 */
export class ScopedTables {
  readonly #database: Database;
  readonly #schemas = new Map<string, ReadonlyMap<string, ScopedTable>>();

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Knows the tables of the usual schema. */
  static async load(database: Database): Promise<ScopedTables> {
    const tables = new ScopedTables(database);
    await tables.learn(USUAL_SCHEMA);
    return tables;
  }

  /** Reads the tables of a schema, again if it is known: for tables that are made while the process runs. By name. */
  async learn(schema: string): Promise<ReadonlyMap<string, ScopedTable>> {
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
    const tables = new Map(rows.map(({ name, ...facts }) => [name, facts]));
    this.#schemas.set(schema, tables);
    return tables;
  }

  /** @throws Error for a table that is not known, and for one without tenants that is not listed as global. */
  get(schema: string, name: string): ScopedTable {
    const table = this.#schemas.get(schema)?.get(name);
    if (table === undefined)
      throw new Error(`A scoped statement names ${schema}.${name}, which is not known.`);
    if (!table.has_tenant && !(schema === USUAL_SCHEMA && name in GLOBAL_TABLES))
      throw new Error(`A scoped statement names ${schema}.${name}, which has no tenant_id.`);
    return table;
  }
}
