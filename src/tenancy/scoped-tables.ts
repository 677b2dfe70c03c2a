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

/** A scoped statement names a table that is not known: it was never there, or is gone. */
export class UnknownTableError extends Error {}

/** The schema of tables that are named without one. */
export const USUAL_SCHEMA = 'public';

/**
 * The tables that scoped statements may name, by schema and name, as PostgreSQL's catalogue or the definitions of entities have
 * them: no list can be forgotten, and a table that is not known is refused.
 */
export class ScopedTables {
  readonly #database: Database;
  readonly #schemas = new Map<string, ReadonlyMap<string, ScopedTable>>();
  readonly #lent = new Map<string, WeakRef<ReadonlyMap<string, ScopedTable>>>();
  readonly #returned = new FinalizationRegistry<string>((schema) => {
    if (this.#lent.get(schema)?.deref() === undefined) this.#lent.delete(schema);
  });

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Knows the tables of the usual schema. */
  static async load(database: Database): Promise<ScopedTables> {
    const tables = new ScopedTables(database);
    await tables.learn(USUAL_SCHEMA);
    return tables;
  }

  /** Reads the tables of a schema and knows them from now on. */
  async learn(schema: string): Promise<void> {
    this.#schemas.set(schema, await this.read(schema));
  }

  /** The tables of a schema by name, as the catalogue has them. */
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
   * Knows the tables of a schema as long as somebody keeps `tables`: for those of tenants, which a process cannot know all, and
   * which follow from definitions, so that the catalogue need not be asked.
   */
  lend(schema: string, tables: ReadonlyMap<string, ScopedTable>): void {
    this.#lent.set(schema, new WeakRef(tables));
    this.#returned.register(tables, schema);
  }

  /** @throws UnknownTableError for a table that is not known, and Error for one without tenants that is not listed as global. */
  get(schema: string, name: string): ScopedTable {
    const table = (this.#schemas.get(schema) ?? this.#lent.get(schema)?.deref())?.get(name);
    if (table === undefined)
      throw new UnknownTableError(`A scoped statement names ${schema}.${name}, which is not known.`);
    if (!table.has_tenant && !(schema === USUAL_SCHEMA && name in GLOBAL_TABLES))
      throw new Error(`A scoped statement names ${schema}.${name}, which has no tenant_id.`);
    return table;
  }
}
