import type { CompiledQuery, QueryResult } from 'kysely';
import { EVERY_TENANT } from './every-tenant.ts';
import { SessionConnection } from './session-driver.ts';

/**
 * Whoever has the cluster log or refuse statements that ask several nodes learns of those of one tenant alone: these are
 * mistakes (docs/scaling.md).
 */
const MAY_ASK_ALL = 'set local citus.multi_task_query_log_level = off';

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
    await this.client.query("set citus.propagate_set_commands = 'local'");
  }

  protected override async enterTenant(tenant: string | null): Promise<void> {
    this.#tenant = tenant;
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isInTransaction || this.#tenant === null) return super.executeQuery(query);
    const begun = this.#beginUnderTenant(this.#tenant);
    const executed = super.executeQuery<R>(query);
    const ended = this.command('commit');
    // That the commit fails for it is no news when the statement has failed.
    await Promise.allSettled([begun, executed, ended]);
    const result = await executed;
    await Promise.all([begun, ended]);
    return result;
  }

  override async begin(): Promise<void> {
    await (this.#tenant === null ? this.command('begin') : this.#beginUnderTenant(this.#tenant));
    this.#isInTransaction = true;
  }

  override async command(text: string): Promise<void> {
    if (text === 'commit' || text === 'rollback') this.#isInTransaction = false;
    await super.command(text);
  }

  /** Each a message of its own: nodes are passed the whole text of one that sets something, and have begun by themselves. */
  async #beginUnderTenant(tenant: string): Promise<void> {
    const texts = ['begin', `set local tessera.tenant = '${tenant}'`];
    if (tenant === EVERY_TENANT) texts.push(MAY_ASK_ALL);
    await Promise.all(texts.map((text) => this.command(text)));
  }
}
