import type { CompiledQuery, Kysely, QueryResult, RawBuilder, TransactionBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database, Rows } from '../db/database.ts';
import { retryDeadlocks } from '../db/deadlock.ts';
import { setLockTimeout } from '../db/lock-timeout.ts';
import { type OwnerSession, type OwnerUse, runAsOwner } from '../db/owner-uses.ts';
import { pipelineWithNext } from '../db/pipelined-statement.ts';
import { retryTableLocks } from '../db/table-lock-timeout.ts';
import type { Tables } from '../db/tables.ts';
import type { Scope } from './scope.ts';
import { scopePlugin } from './scope-plugin.ts';
import type { ScopedTables } from './scoped-tables.ts';

const KEPT_SCOPES = 1000;

/** How transactions begin. */
interface Ways {
  readonly hasOneConnection: boolean;
  /** Whether the open transaction may change tables. */
  readonly changesTables: boolean;
  /** Opens the same rows where tables can be changed with them. */
  onCoordinator(): Kysely<Tables>;
  /** `Database.ownerSession` */
  readonly ownerSession: Database['ownerSession'];
}

/**
 * The only way to tenant data: a query builder that adds tenant and owning units to every statement. Inside a
 * transaction the same type is handed on, so that a use case cannot tell whether it is part of a larger one.
 */
export class ScopedDb {
  readonly scope: Scope;
  readonly query: Kysely<Tables>;
  /** Work to do once the outermost transaction has committed; null outside a transaction. */
  readonly #afterCommit: (() => void)[] | null;

  readonly #ways: Ways;

  private constructor(scope: Scope, query: Kysely<Tables>, afterCommit: (() => void)[] | null, ways: Ways) {
    this.scope = scope;
    this.query = query;
    this.#afterCommit = afterCommit;
    this.#ways = ways;
  }

  /** What opens the rows that a scope reaches. Recent scopes are kept: making one costs as much as a small query. */
  static opener(database: Database, tables: ScopedTables): (scope: Scope) => ScopedDb {
    const kept = new LRUCache<string, ScopedDb, Scope>({
      max: KEPT_SCOPES,
      memoMethod: (_key, _stale, { context: scope }) => {
        const plugin = scopePlugin(scope, tables);
        const open = (rows: Rows) => rows.forTenant(scope.tenantId).withPlugin(plugin);
        return new ScopedDb(scope, open(database), null, {
          hasOneConnection: database.kind === 'embedded',
          changesTables: false,
          onCoordinator: () => open(database.onCoordinator),
          ownerSession: (work) => database.ownerSession(work),
        });
      },
    });
    return (scope) => kept.memo(JSON.stringify(scope), { context: scope });
  }

  get tenantId(): string {
    return this.scope.tenantId;
  }

  /** Whether this is an open transaction, which a failed statement ends. */
  get isTransaction(): boolean {
    return this.#afterCommit !== null;
  }

  /**
   * The only way to SQL that is written out. It runs under the tenant, in the open transaction if there is one; its
   * own conditions are all that narrows it further, so it must at least name the tenant that it is given.
   * @throws Error when the tenant is not among the statement's parameters.
   */
  async raw<Row>(write: (tenantId: string) => RawBuilder<Row>): Promise<QueryResult<Row>> {
    const unscoped = this.query.withoutPlugins();
    return unscoped.executeQuery(this.#compile(unscoped, write));
  }

  /**
   * As `raw`, for a small statement of an open transaction of which nobody needs the rows before the commit: it may leave with what
   * comes next in the transaction, in one message, and then it is that which fails for its reason. `onRows` is given its rows once
   * they are there, before the hooks of `afterCommit`. Outside a transaction it runs at once.
   */
  async rawWithNext<Row>(
    write: (tenantId: string) => RawBuilder<Row>,
    onRows: (rows: readonly Row[]) => void = () => {},
  ): Promise<void> {
    const unscoped = this.query.withoutPlugins();
    const statement = this.#compile(unscoped, write);
    await unscoped.executeQuery(pipelineWithNext(statement, onRows));
  }

  /**
   * Has the statements of the open transaction wait no longer than this for what others hold; then they fail (LOCK_NOT_AVAILABLE).
   * @throws Error outside a transaction
   */
  async limitLockWaits(milliseconds: number): Promise<void> {
    if (!this.#afterCommit) throw new Error('Waits are limited in a transaction.');
    await setLockTimeout(`${milliseconds}ms`).execute(this.query.withoutPlugins());
  }

  #compile<Row>(unscoped: Kysely<Tables>, write: (tenantId: string) => RawBuilder<Row>): CompiledQuery<Row> {
    const statement = write(this.tenantId).compile(unscoped);
    if (!statement.parameters.includes(this.tenantId))
      throw new Error(`A statement does not name its tenant: ${statement.sql}`);
    return statement;
  }

  /**
   * Runs `work` in a transaction, or in the one that is already open; again after a deadlock, so that it changes nothing but
   * the database. Never await outside work inside: the embedded database has one connection.
   */
  async transaction<T>(work: (tx: ScopedDb) => Promise<T>): Promise<T> {
    if (this.#afterCommit) return work(this);
    return this.#transact(this.query.transaction(), work);
  }

  /**
   * Runs `work` in a transaction that may change tables, too (`asOwner`); again as `transaction`, and while it meets a table
   * that is held. @throws Error inside a transaction
   */
  async changeTables<T>(work: (tx: ScopedDb) => Promise<T>): Promise<T> {
    if (this.#afterCommit) throw new Error('Tables are changed by a transaction that begins with it.');
    const ways = { ...this.#ways, changesTables: true };
    return retryTableLocks(() => this.#transact(ways.onCoordinator().transaction(), work, ways));
  }

  /**
   * Runs reads that take long, of the rows as they are when the first begins, however they change meanwhile. The embedded
   * database has one connection, which nobody may hold for long: there each read is of its own moment.
   * @throws Error inside a transaction
   */
  async snapshot<T>(read: (db: ScopedDb) => Promise<T>): Promise<T> {
    if (this.#afterCommit) throw new Error('A snapshot begins with its own transaction.');
    if (this.#ways.hasOneConnection) return read(this);
    return this.#transact(this.query.transaction().setIsolationLevel('repeatable read'), read);
  }

  async #transact<T>(
    transaction: TransactionBuilder<Tables>,
    work: (tx: ScopedDb) => Promise<T>,
    ways = this.#ways,
  ): Promise<T> {
    const { hooks, result } = await retryDeadlocks(async () => {
      const afterCommit: (() => void)[] = [];
      const done = await transaction.execute((query) =>
        work(new ScopedDb(this.scope, query, afterCommit, ways)),
      );
      return { hooks: afterCommit, result: done };
    });
    for (const hook of hooks) hook();
    return result;
  }

  /**
   * Changes tables in the open transaction, as their owner and for one of the listed uses: no wall narrows these
   * statements.
   * @throws Error outside a transaction of `changeTables`
   */
  async asOwner(_use: OwnerUse, statements: readonly RawBuilder<unknown>[]): Promise<void> {
    this.#requireTables();
    const unscoped = this.query.withoutPlugins();
    await runAsOwner(unscoped, async () => {
      for (const statement of statements) await statement.execute(unscoped);
    });
  }

  /**
   * Reads as `raw`, as the owner of the tables: once the owner has changed a table of a cluster, nobody else reads it in the
   * same transaction. @throws Error outside a transaction of `changeTables`
   */
  async readAsOwner<Row>(
    _use: OwnerUse,
    write: (tenantId: string) => RawBuilder<Row>,
  ): Promise<QueryResult<Row>> {
    this.#requireTables();
    return runAsOwner(this.query.withoutPlugins(), () => this.raw(write));
  }

  #requireTables(): void {
    if (!this.#ways.changesTables) throw new Error('Tables are changed in a transaction of changeTables.');
  }

  /**
   * Changes tables outside a transaction, statement by statement, as their owner and for one of the listed uses: for what takes
   * long and is not to keep others waiting. The connection is of the pool, so only few may be lent at once.
   * @throws Error inside a transaction
   */
  async ownerSession<T>(_use: OwnerUse, work: (run: OwnerSession) => Promise<T>): Promise<T> {
    if (this.#afterCommit) throw new Error('A session of the owner is outside any transaction.');
    return this.#ways.ownerSession(work);
  }

  /** Runs `hook` after the open transaction commits, at once when none is open, never when it rolls back. */
  afterCommit(hook: () => void): void {
    if (this.#afterCommit) this.#afterCommit.push(hook);
    else hook();
  }
}
