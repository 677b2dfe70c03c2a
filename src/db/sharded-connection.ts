import type { CompiledQuery, QueryResult } from 'kysely';
import { EVERY_TENANT } from './every-tenant.ts';
import { isPlainRead } from './plain-read.ts';
import { SessionConnection } from './session-driver.ts';
import { noteFacts } from './shard-error.ts';
import { resultListener } from './with-next.ts';

/**
 * Whoever has the cluster log or refuse statements that ask several nodes learns of those of one tenant alone: these are
 * mistakes (docs/scaling.md).
 */
const MAY_ASK_ALL = 'set local citus.multi_task_query_log_level = off';

const SETTINGS = "set citus.propagate_set_commands = 'local'";

/** A shard that changes its place would lose what is written to it meanwhile (sql/hold-home.sql). */
const HOLD_HOME = { name: 'hold-home', text: 'select tessera_hold_home($1)' };

/**
 * A connection to a node of a sharded database. What a session sets stays on the node that it is connected to; what a
 * transaction sets goes along to those that hold the rows. So each statement is a transaction that names its tenant: its
 * messages leave at once, and are one round trip.
 */
export class ShardedConnection extends SessionConnection {
  /** Null: for functions that run past isolation. */
  #tenant: string | null = null;
  #isInTransaction = false;

  protected override async enterRole(): Promise<void> {
    await super.enterRole();
    await this.client.query(SETTINGS);
  }

  protected override async enterTenant(tenant: string | null): Promise<void> {
    this.#tenant = tenant;
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.#executeUnderTenant<R>(query);
    resultListener(query)?.told(result);
    return result;
  }

  async #executeUnderTenant<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isInTransaction || this.#tenant === null) return this.execute(query);
    const begun = this.#beginUnderTenant(this.#tenant, 'begin', isPlainRead(query.query));
    const executed = this.execute<R>(query);
    const ended = this.command('commit');
    await Promise.allSettled([begun, executed, ended]);
    // What fails first is the reason that the rest does.
    await begun;
    const result = await executed;
    await ended;
    return result;
  }

  protected override async execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return super.execute<R>(query).catch((error: unknown) => {
      noteFacts(error);
      throw error;
    });
  }

  override async begin(command: string): Promise<void> {
    if (this.#tenant === null) await this.command(command);
    else await this.#beginOrLeave(this.#tenant, command);
    this.#isInTransaction = true;
  }

  override async end(command: 'commit' | 'rollback'): Promise<void> {
    this.#isInTransaction = false;
    await this.command(command);
  }

  /** Nobody ends a transaction that did not begin: the connection would go back within it. */
  async #beginOrLeave(tenant: string, command: string): Promise<void> {
    try {
      await this.#beginUnderTenant(tenant, command);
    } catch (error) {
      await this.command('rollback').catch(() => {});
      throw error;
    }
  }

  /** Each a message of its own: nodes are passed the whole text of one that sets something, and have begun by themselves. */
  async #beginUnderTenant(tenant: string, command: string, isRead = false): Promise<void> {
    const begun: Promise<unknown>[] = [
      this.command(command),
      this.command(`set local tessera.tenant = '${tenant}'`),
    ];
    if (tenant === EVERY_TENANT) begun.push(this.command(MAY_ASK_ALL));
    else if (!isRead) begun.push(this.client.query({ ...HOLD_HOME, values: [tenant] }));
    // All of them, before anything else is sent.
    await Promise.allSettled(begun);
    await Promise.all(begun);
  }
}
