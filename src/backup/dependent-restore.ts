/**
 * Creates the tables that depend on restored rows. A server can lock a few thousand tables per transaction, and a
 * thousand tenants have more. So the tables are created one by one on other connections, in parallel with the open
 * transaction that restores all other rows. They are unused until it commits: a failed restore drops them, and the next
 * restore drops those of a killed one.
 */
import type pg from 'pg';
import type { SqlPool } from '../db/pool.ts';
import { TableConnections } from './table-connections.ts';
import {
  type BackupTable,
  type DependentTables,
  exactTexts,
  isOwn,
  listTables,
  sqlNames,
  sqlTable,
} from './tables.ts';

/** Dependent tables of one restore, whose other rows are in the open transaction of `client`. */
export class DependentRestore {
  readonly #client: pg.PoolClient;
  readonly #writers: TableConnections;
  readonly #dependent: DependentTables;

  constructor(database: SqlPool, client: pg.PoolClient, dependent: DependentTables) {
    this.#client = client;
    this.#dependent = dependent;
    // The final commit flushes the log, which includes these writes.
    this.#writers = new TableConnections(database, client, (writer) =>
      writer.query(`reset role; set synchronous_commit = off; ${exactTexts('session')}`),
    );
  }

  /** Drops existing dependent tables, which a killed restore has left. Call it only while there are no tenants. */
  async drop(): Promise<void> {
    const { isInSchema } = this.#dependent;
    for (const { name } of await listTables(this.#client, this.#dependent))
      if (!isOwn(name)) await this.#run(`drop table ${sqlTable(name)} cascade`);
    const { rows } = await this.#client.query<{ name: string }>(
      `select n.nspname as name from pg_namespace n where ${isInSchema}`,
    );
    for (const { name } of rows) await this.#run(`drop schema ${sqlNames([name])}`);
  }

  /** Creates the empty tables from rows of the transaction. Returns all tables. */
  async create(): Promise<readonly BackupTable[]> {
    for (const owner of await this.#dependent.listOwners(this.#client)) {
      const { create } = await this.#dependent.planOf(this.#client, owner);
      for (const text of create) await this.#run(text);
    }
    return listTables(this.#client, this.#dependent);
  }

  /** Returns the connection for rows of the next dependent table. */
  writer(): Promise<pg.PoolClient> {
    return this.#writers.next();
  }

  /** Creates indexes and constraints, and analyses the tables. */
  async finish(): Promise<void> {
    for (const owner of await this.#dependent.listOwners(this.#client)) {
      const { finish } = await this.#dependent.planOf(this.#client, owner);
      for (const text of finish) await this.#run(text);
    }
    for (const { name } of await listTables(this.#client, this.#dependent))
      if (!isOwn(name)) await this.#run(`analyze ${sqlTable(name)}`);
  }

  /** Closes the connections. */
  end(): void {
    this.#writers.end();
  }

  async #run(text: string): Promise<void> {
    await (await this.#writers.next()).query(text);
  }
}
