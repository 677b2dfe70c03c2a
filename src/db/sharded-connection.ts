import type { CompiledQuery, QueryResult } from 'kysely';
import { EVERY_TENANT } from './every-tenant.ts';
import { isPlainRead } from './plain-read.ts';
import { SessionConnection } from './session-driver.ts';
import { addViolationDetails } from './shard-error.ts';

/**
 * Excludes statements for all tenants from the cluster's log of multi-node statements. For one tenant, such statements
 * are mistakes (docs/scaling.md).
 */
const ALLOW_ALL_NODES = 'set local citus.multi_task_query_log_level = off';

/** A schema that is created while the application runs has tables of one tenant, so all of it is on one node. */
const SETTINGS = "set citus.propagate_set_commands = 'local'; set citus.enable_schema_based_sharding = on";

/** Locks the shard: a shard that is being moved would lose writes (sql/lock-tenant-shards.sql). */
const LOCK_TENANT_SHARDS = { name: 'lock-tenant-shards', text: 'select tessera_lock_tenant_shards($1)' };

/**
 * A connection to a node of a sharded database. Citus passes transaction settings to the nodes with the rows, but not
 * session settings. So each statement is a transaction that sets its tenant, sent in one round trip.
 */
export class ShardedConnection extends SessionConnection {
  /** Tenant of the statements; null for look-ups (`LOOK_UPS`). */
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
    if (this.#isInTransaction || this.#tenant === null) return this.execute(query);
    const begun = this.#beginUnderTenant(this.#tenant, 'begin', isPlainRead(query.query));
    const executed = this.execute<R>(query);
    const ended = this.command('commit');
    await Promise.allSettled([begun, executed, ended]);
    // Report the first error, which causes the others.
    await begun;
    const result = await executed;
    await ended;
    return result;
  }

  protected override async execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return super.execute<R>(query).catch((error: unknown) => {
      addViolationDetails(error);
      throw error;
    });
  }

  override async begin(command: string): Promise<void> {
    if (this.#tenant === null) await this.command(command);
    else await this.#beginOrRollBack(this.#tenant, command);
    this.#isInTransaction = true;
  }

  override async end(command: 'commit' | 'rollback'): Promise<void> {
    this.#isInTransaction = false;
    await this.command(command);
  }

  /** Begins a transaction, and rolls it back on failure: Kysely would release the connection within the transaction. */
  async #beginOrRollBack(tenant: string, command: string): Promise<void> {
    try {
      await this.#beginUnderTenant(tenant, command);
    } catch (error) {
      await this.command('rollback').catch(() => {});
      throw error;
    }
  }

  /** Sends each command as its own message: Citus passes the whole text of a message with a setting to the nodes. */
  async #beginUnderTenant(tenant: string, command: string, isRead = false): Promise<void> {
    const begun: Promise<unknown>[] = [
      this.command(command),
      this.command(`set local tessera.tenant = '${tenant}'`),
    ];
    if (tenant === EVERY_TENANT) begun.push(this.command(ALLOW_ALL_NODES));
    else if (!isRead) begun.push(this.client.query({ ...LOCK_TENANT_SHARDS, values: [tenant] }));
    // Wait for all of them before anything else is sent.
    await Promise.allSettled(begun);
    await Promise.all(begun);
  }
}
