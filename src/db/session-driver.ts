/**
 * Kysely's way to our connections. Two things are ours: a connection works under the tenant of its query
 * (row-level security reads the session setting `tessera.tenant`; it is sent only when a connection changes
 * tenant: measured cost 8 %, against 48 % for a transaction with `set local` around every read), and frequent
 * statements are prepared by name, which halves their cost on the embedded database. How the tenant reaches the nodes of a
 * sharded database: sharded-connection.ts.
 */
import { createHash } from 'node:crypto';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Leave } from '../ledger/fair-queue.ts';
import { APP_ROLE } from './app-role.ts';
import { isPlannedAnew } from './planned-anew.ts';
import { isPlanStale } from './sqlstate.ts';
import { namesTenantSchema } from './tenant-schemas.ts';
import { resultListener } from './with-next.ts';

declare module 'pg' {
  interface Connection {
    /** The texts of prepared statements by name; pg prepares none whose name is in here. */
    readonly parsedStatements: Record<string, string>;
  }
}

/** Statements that a connection keeps prepared; each costs the server some ten kilobytes. */
const PREPARED_STATEMENTS = 400;
/** Texts of which it is known that they came before. */
const KNOWN_TEXTS = 2000;

/**
 * How many statements that name tables of tenants a connection parses before a new one takes its place. The server keeps what it
 * has learned of every table that was named, some 50 kilobytes each, for as long as the connection lasts. More than it keeps
 * prepared: who comes again to as many as that stays on one connection.
 */
const PARSED_OF_TENANTS = 500;

const SET_LIMIT = "select set_config('statement_timeout', $1, false)";
const SET_TENANT = { name: 'set-tenant', text: "select set_config('tessera.tenant', $1, false)" };

/** Names of statements, the same on all connections of a pool. */
export class StatementNames {
  readonly #names = new LRUCache<string, string>({ max: KNOWN_TEXTS });

  /**
   * The name under which a statement is prepared; undefined the first time, so that texts that come once (filters have
   * no end of them) push none out that come again.
   */
  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known === undefined)
      this.#names.set(text, createHash('sha256').update(text).digest('base64url').slice(0, 20));
    return known;
  }
}

/** A connection to one server, or to the embedded database: it keeps the tenant as a setting of its session. */
export class SessionConnection implements DatabaseConnection {
  protected readonly client: pg.PoolClient;
  readonly #names: StatementNames;
  readonly #isReplaceable: boolean;
  #parsedOfTenants = 0;
  #isInRole = false;
  /** The tenant that the session has; null until it was set. */
  #tenant: string | null = null;
  /** The tenant that it is to have, and the command that begins a transaction: they go out with the next statement. */
  #wantedTenant = '';
  /** The limit of statements that the session has, and the one that it is to have, ms; null: the server's. */
  #limit: number | null = null;
  #wantedLimit: number | null = null;
  /** Gives the place in the queue of connections back. */
  #leave: Leave = () => {};
  #beginning: string | null = null;
  #isInTransaction = false;
  /** Statements of the transaction that leave with the next one. */
  #waiting: CompiledQuery[] = [];
  #broken = false;
  readonly #prepared = new LRUCache<string, true>({
    max: PREPARED_STATEMENTS,
    dispose: (_value, name, reason) => {
      if (reason === 'evict') this.#leaving.push(name);
    },
  });
  #leaving: string[] = [];

  constructor(client: pg.PoolClient, names: StatementNames, isReplaceable: boolean) {
    this.client = client;
    this.#names = names;
    this.#isReplaceable = isReplaceable;
  }

  /**
   * Takes the connection to a tenant and a limit of statements, and frees what it has prepared and not used for the longest
   * time. `leave` is called when the connection is released.
   */
  async enter(tenant: string | null, limit: number | null, leave: Leave): Promise<void> {
    if (!this.#isInRole) await this.enterRole();
    this.#isInRole = true;
    this.#wantedLimit = limit;
    await this.enterTenant(tenant);
    this.#leave = leave;
    // Between transactions: one that has failed would refuse it.
    if (this.#leaving.length > 0) await this.#dropLeaving();
  }

  protected async enterRole(): Promise<void> {
    await this.client.query(`set role ${APP_ROLE}`);
  }

  protected async enterTenant(tenant: string | null): Promise<void> {
    this.#wantedTenant = tenant ?? this.#tenant ?? '';
  }

  /** Sets the limit of statements, if it is to be another. */
  async #enterLimit(): Promise<void> {
    if (this.#limit === this.#wantedLimit) return;
    await this.client.query(SET_LIMIT, [String(this.#wantedLimit ?? 0)]);
    this.#limit = this.#wantedLimit;
  }

  /** Runs a statement, and before it what the connection was told to do first: in one message, which costs what each would. */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const listener = resultListener(query);
    if (listener === undefined) return this.#behindFirst(() => this.execute<R>(query));
    if (this.#isReplaceable && this.#isInTransaction) this.#waiting.push(query);
    else listener.told(await this.#behindFirst(() => this.execute(query)));
    return { rows: [] };
  }

  /** Sends something in one message with what is to be sent before it. */
  async #behindFirst<Result>(send: () => Promise<Result>): Promise<Result> {
    const hasFirst =
      this.#tenant !== this.#wantedTenant ||
      this.#limit !== this.#wantedLimit ||
      this.#beginning !== null ||
      this.#waiting.length > 0;
    if (!hasFirst) return send();
    const { stream } = this.client.connection;
    if (this.#isReplaceable) stream.cork();
    const first = [this.#enter(), this.#sendWaiting()];
    const sent = send();
    if (this.#isReplaceable) stream.uncork();
    await Promise.allSettled([...first, sent]);
    for (const each of first) await each;
    return sent;
  }

  /**
   * Should it fail, the statement behind it runs without it: that names its tenant by itself, its caller gets this error, and
   * the connection is not used again.
   */
  async #enter(): Promise<void> {
    const sent: Promise<unknown>[] = [this.#enterLimit()];
    if (this.#tenant !== this.#wantedTenant)
      sent.push(this.client.query({ ...SET_TENANT, values: [this.#wantedTenant] }));
    if (this.#beginning !== null) sent.push(this.client.query(this.#beginning));
    this.#tenant = this.#wantedTenant;
    this.#beginning = null;
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected');
    if (failed === undefined) return;
    this.#broken = true;
    await Promise.all(sent);
  }

  /** Should one fail, the transaction has, and what is sent behind it comes to nothing. */
  async #sendWaiting(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const sent = waiting.map(async (query) => resultListener(query)?.told(await this.execute(query)));
    await Promise.allSettled(sent);
    for (const each of sent) await each;
  }

  /** Runs a statement. */
  protected async execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const name = isPlannedAnew(query.sql) ? undefined : this.#names.of(query.sql);
    if ((name === undefined || !this.#isPrepared(name)) && namesTenantSchema(query.sql))
      this.#parsedOfTenants += 1;
    let isStale = false;
    try {
      const result = await this.client.query<R & pg.QueryResultRow>({
        name,
        text: query.sql,
        values: [...query.parameters],
      });
      return { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
    } catch (error) {
      // A table was changed under a prepared statement, which this connection would refuse for good: it is prepared anew.
      if (isPlanStale(error)) isStale = true;
      throw error;
    } finally {
      if (name !== undefined && this.#isPrepared(name)) this.#note(name, isStale);
    }
  }

  #isPrepared(name: string): boolean {
    return name in this.client.connection.parsedStatements;
  }

  /** Notes that a statement is prepared; one that is stale is freed before the next work of this connection. */
  #note(name: string, isStale: boolean): void {
    this.#prepared.set(name, true);
    if (!isStale) return;
    this.#prepared.delete(name);
    this.#leaving.push(name);
  }

  async #dropLeaving(): Promise<void> {
    const names = this.#leaving;
    this.#leaving = [];
    await this.client.query(names.map((name) => `deallocate "${name}"`).join(';'));
    for (const name of names) delete this.client.connection.parsedStatements[name];
  }

  /** Begins a transaction by this command. */
  async begin(command: string): Promise<void> {
    this.#beginning = command;
    this.#isInTransaction = true;
  }

  /** Ends a transaction by this command. */
  async end(command: 'commit' | 'rollback'): Promise<void> {
    this.#isInTransaction = false;
    if (command === 'rollback') this.#waiting = [];
    const isEmpty = this.#beginning !== null && this.#waiting.length === 0;
    this.#beginning = isEmpty ? null : this.#beginning;
    if (!isEmpty) await this.#behindFirst(() => this.command(command));
  }

  /** Runs a transaction command; a connection on which one fails is not used again. */
  protected async command(text: string): Promise<void> {
    const result = await this.client.query(text).catch((error: unknown) => {
      this.#broken = true;
      throw error;
    });
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK; nothing may be acknowledged then.
    if (text === 'commit' && result.command === 'ROLLBACK')
      throw new Error('The transaction was rolled back.');
  }

  release(): void {
    const isFull = this.#isReplaceable && this.#parsedOfTenants >= PARSED_OF_TENANTS;
    this.client.release(this.#broken || isFull);
    this.#leave();
  }

  // biome-ignore lint/correctness/useYield: streaming is not offered on a shared single connection.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Read large results page by page: the embedded database has one connection.');
  }
}
