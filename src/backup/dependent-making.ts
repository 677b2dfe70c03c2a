/**
 * Makes the tables that follow from restored rows. A server keeps a lock for all that a transaction has made, and has room for
 * some thousands of them; a thousand tenants have more tables than that. So they are made one by one on further connections,
 * beside the open transaction that has everything else. Until that commits nobody refers to them: when it fails they are
 * dropped, and those of a restore that was killed are dropped by the next one.
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

/** The dependent tables of one restore, whose other rows are in the open transaction of `client`. */
export class DependentMaking {
  readonly #client: pg.PoolClient;
  readonly #writers: TableConnections;
  readonly #dependent: DependentTables;

  constructor(database: SqlPool, client: pg.PoolClient, dependent: DependentTables) {
    this.#client = client;
    this.#dependent = dependent;
    // What the transaction commits is flushed, and with it all that was written to the log before.
    this.#writers = new TableConnections(database, client, (writer) =>
      writer.query(`reset role; set synchronous_commit = off; ${exactTexts('session')}`),
    );
  }

  /** Drops those that are there: a restore that was killed has left them. To be called when there are no tenants. */
  async drop(): Promise<void> {
    const { areIn } = this.#dependent;
    for (const { name } of await listTables(this.#client, this.#dependent))
      if (!isOwn(name)) await this.#run(`drop table ${sqlTable(name)} cascade`);
    const { rows } = await this.#client.query<{ name: string }>(
      `select n.nspname as name from pg_namespace n where ${areIn}`,
    );
    for (const { name } of rows) await this.#run(`drop schema ${sqlNames([name])}`);
  }

  /** Makes the tables, with nothing in them, of the rows that the transaction has. Returns all tables. */
  async make(): Promise<readonly BackupTable[]> {
    for (const owner of await this.#dependent.listOwners(this.#client)) {
      const { make } = await this.#dependent.planOf(this.#client, owner);
      for (const text of make) await this.#run(text);
    }
    return listTables(this.#client, this.#dependent);
  }

  /** The connection by which rows of one of them are written. */
  writer(): Promise<pg.PoolClient> {
    return this.#writers.next();
  }

  /** Gives them their indexes and rules, and lets the planner know their rows. */
  async finish(): Promise<void> {
    for (const owner of await this.#dependent.listOwners(this.#client)) {
      const { finish } = await this.#dependent.planOf(this.#client, owner);
      for (const text of finish) await this.#run(text);
    }
    for (const { name } of await listTables(this.#client, this.#dependent))
      if (!isOwn(name)) await this.#run(`analyze ${sqlTable(name)}`);
  }

  /** Lets go of the connections. */
  end(): void {
    this.#writers.end();
  }

  async #run(text: string): Promise<void> {
    await (await this.#writers.next()).query(text);
  }
}
