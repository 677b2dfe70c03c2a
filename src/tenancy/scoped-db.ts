import {
  type CompiledQuery,
  type Kysely,
  type QueryResult,
  type RawBuilder,
  sql,
  type TransactionBuilder,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database, Rows } from '../db/database.ts';
import { retryDeadlocks } from '../db/deadlock.ts';
import { setLockTimeout } from '../db/lock-timeout.ts';
import { type OwnerSession, type OwnerUse, runAsOwner } from '../db/owner-uses.ts';
import { type StatementOptions, withOptions } from '../db/statement-options.ts';
import { retryTableLocks } from '../db/table-lock-timeout.ts';
import type { Tables } from '../db/tables.ts';
import type { Scope } from './scope.ts';
import { scopePlugin } from './scope-plugin.ts';
import type { ScopedTables } from './scoped-tables.ts';

const MAX_CACHED_SCOPES = 1000;

/** Connections and rights of transactions. */
interface TransactionOptions {
  readonly hasOneConnection: boolean;
  /** True if the open transaction may change tables. */
  readonly changesTables: boolean;
  /** Returns access to the rows through the coordinator, where tables can be changed. */
  forTableChanges(): Kysely<Tables>;
  /** `Database.ownerSession` */
  readonly ownerSession: Database['ownerSession'];
}

/**
 * The only access to tenant data: a query builder that adds tenant and owning units to every statement. A transaction
 * has the same type, so a use case does not depend on being part of a larger one.
 */
export class ScopedDb {
  readonly scope: Scope;
  readonly query: Kysely<Tables>;
  /** Hooks to run after the outermost transaction commits; null outside a transaction. */
  readonly #afterCommit: (() => void)[] | null;

  readonly #options: TransactionOptions;

  private constructor(
    scope: Scope,
    query: Kysely<Tables>,
    afterCommit: (() => void)[] | null,
    options: TransactionOptions,
  ) {
    this.scope = scope;
    this.query = query;
    this.#afterCommit = afterCommit;
    this.#options = options;
  }

  /** Returns a function that opens a scope. Scopes are cached: creating one costs as much as a small query. */
  static opener(database: Database, tables: ScopedTables): (scope: Scope) => ScopedDb {
    const cache = new LRUCache<string, ScopedDb, Scope>({
      max: MAX_CACHED_SCOPES,
      memoMethod: (_key, _stale, { context: scope }) => {
        const plugin = scopePlugin(scope, tables);
        const open = (rows: Rows) => rows.forTenant(scope.tenantId).withPlugin(plugin);
        return new ScopedDb(scope, open(database), null, {
          hasOneConnection: database.kind === 'embedded',
          changesTables: false,
          forTableChanges: () => open(database.forTableChanges),
          ownerSession: (work) => database.ownerSession(work),
        });
      },
    });
    return (scope) => cache.memo(JSON.stringify(scope), { context: scope });
  }

  get tenantId(): string {
    return this.scope.tenantId;
  }

  /** True in an open transaction, which a failed statement ends. */
  get isTransaction(): boolean {
    return this.#afterCommit !== null;
  }

  /**
   * Runs raw SQL under the tenant, in the open transaction if there is one. No scope is added, so the statement must at
   * least have the given tenant id as a parameter.
   * @throws Error if the tenant id is not among the statement's parameters.
   */
  async raw<Row>(
    write: (tenantId: string) => RawBuilder<Row>,
    options: StatementOptions = {},
  ): Promise<QueryResult<Row>> {
    const unscoped = this.query.withoutPlugins();
    return unscoped.executeQuery(withOptions(this.#compile(unscoped, write), options));
  }

  /**
   * Limits lock waits of statements in the open transaction; a longer wait fails with LOCK_NOT_AVAILABLE.
   * @throws Error outside a transaction.
   */
  async limitLockWaits(milliseconds: number): Promise<void> {
    if (!this.#afterCommit) throw new Error('Lock waits can only be limited in a transaction.');
    await setLockTimeout(`${milliseconds}ms`).execute(this.query.withoutPlugins());
  }

  #compile<Row>(unscoped: Kysely<Tables>, write: (tenantId: string) => RawBuilder<Row>): CompiledQuery<Row> {
    const statement = write(this.tenantId).compile(unscoped);
    if (!statement.parameters.includes(this.tenantId))
      throw new Error(`A statement does not name its tenant: ${statement.sql}`);
    return statement;
  }

  /**
   * Runs `work` in a transaction, or in the open one. `work` is repeated after a deadlock, so it must change nothing
   * but the database. `work` must not await anything else: the embedded database has one connection.
   */
  async transaction<T>(work: (tx: ScopedDb) => Promise<T>): Promise<T> {
    if (this.#afterCommit) return work(this);
    return this.#transact(this.query.transaction(), work);
  }

  /**
   * Runs a part of the open transaction. If it throws, only what the part wrote is undone, and the transaction can go
   * on. @throws Error outside a transaction.
   */
  async savepoint<T>(work: (tx: ScopedDb) => Promise<T>): Promise<T> {
    const outer = this.#afterCommit;
    if (!outer) throw new Error('A savepoint needs a transaction.');
    const unscoped = this.query.withoutPlugins();
    const hooks: (() => void)[] = [];
    await sql`savepoint part`.execute(unscoped);
    try {
      const result = await work(new ScopedDb(this.scope, this.query, hooks, this.#options));
      await sql`release savepoint part`.execute(unscoped);
      outer.push(...hooks);
      return result;
    } catch (error) {
      await sql`rollback to savepoint part`.execute(unscoped);
      throw error;
    }
  }

  /**
   * Runs `work` in a transaction that may also change tables (`asOwner`). `work` is repeated as in `transaction`, and
   * while a table is locked. @throws Error inside a transaction.
   */
  async changeTables<T>(work: (tx: ScopedDb) => Promise<T>): Promise<T> {
    if (this.#afterCommit) throw new Error('changeTables is not allowed inside a transaction.');
    const options = { ...this.#options, changesTables: true };
    return retryTableLocks(() => this.#transact(options.forTableChanges().transaction(), work, options));
  }

  /**
   * Runs long reads on one snapshot of the rows. On the embedded database each read has its own snapshot, because a
   * transaction would occupy the only connection.
   * @throws Error inside a transaction.
   */
  async snapshot<T>(read: (db: ScopedDb) => Promise<T>): Promise<T> {
    if (this.#afterCommit) throw new Error('A snapshot is not allowed inside a transaction.');
    if (this.#options.hasOneConnection) return read(this);
    return this.#transact(this.query.transaction().setIsolationLevel('repeatable read'), read);
  }

  async #transact<T>(
    transaction: TransactionBuilder<Tables>,
    work: (tx: ScopedDb) => Promise<T>,
    options = this.#options,
  ): Promise<T> {
    const { hooks, result } = await retryDeadlocks(async () => {
      const afterCommit: (() => void)[] = [];
      const done = await transaction.execute((query) =>
        work(new ScopedDb(this.scope, query, afterCommit, options)),
      );
      return { hooks: afterCommit, result: done };
    });
    for (const hook of hooks) hook();
    return result;
  }

  /**
   * Changes tables in the open transaction as their owner, for one of the listed uses. No isolation applies.
   * @throws Error outside a transaction of `changeTables`.
   */
  async asOwner(_use: OwnerUse, statements: readonly RawBuilder<unknown>[]): Promise<void> {
    this.#requireTableChanges();
    const unscoped = this.query.withoutPlugins();
    await runAsOwner(unscoped, async () => {
      for (const statement of statements) await statement.execute(unscoped);
    });
  }

  /**
   * Runs a read like `raw`, as the owner of the tables: after the owner changed a table of a cluster, no other role can
   * read it in the same transaction. @throws Error outside a transaction of `changeTables`.
   */
  async readAsOwner<Row>(
    _use: OwnerUse,
    write: (tenantId: string) => RawBuilder<Row>,
  ): Promise<QueryResult<Row>> {
    this.#requireTableChanges();
    return runAsOwner(this.query.withoutPlugins(), () => this.raw(write));
  }

  #requireTableChanges(): void {
    if (!this.#options.changesTables) throw new Error('Tables are changed in a transaction of changeTables.');
  }

  /**
   * Changes tables outside a transaction, statement by statement, as their owner and for one of the listed uses. For
   * long changes that must not block others. It uses a pool connection, so few may be open at once.
   * @throws Error inside a transaction.
   */
  async ownerSession<T>(_use: OwnerUse, work: (run: OwnerSession) => Promise<T>): Promise<T> {
    if (this.#afterCommit) throw new Error('A session of the owner is not allowed inside a transaction.');
    return this.#options.ownerSession(work);
  }

  /** Runs `hook` after the open transaction commits, or at once outside a transaction; never after a rollback. */
  afterCommit(hook: () => void): void {
    if (this.#afterCommit) this.#afterCommit.push(hook);
    else hook();
  }
}
