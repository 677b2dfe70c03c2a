import { type Kysely, type QueryResult, type RawBuilder, sql } from 'kysely';
import { allSettled } from './all-settled.ts';
import { retryDeadlocks } from './deadlock.ts';
import type { EveryNode } from './every-node.ts';
import type { Gathered, TenantCondition } from './gathered-rows.ts';
import { type OwnerUse, runAsOwner } from './owner-uses.ts';
import type { Tables } from './tables.ts';

/** Value of the tenant setting while the platform works across tenants. */
export const EVERY_TENANT = '*';

/** A reason for work across tenants, and the files of `src` that do it; a contract test compares them with the code. */
interface Use {
  readonly reason: string;
  readonly files: readonly string[];
}

/** All uses of the rows of all tenants. Code that knows its tenant opens a `ScopedDb` instead. */
export const EVERY_TENANT_USES = {
  'work-queues': {
    reason:
      'A worker claims due rows of all tenants in turn, and reads and acknowledges a batch of them in one statement each.',
    files: [
      'features/automations/automations/run-queue.ts',
      'work-queue/http-work-queue.ts',
      'work-queue/work-queue-queries.ts',
      'work-queue/queue-worker.ts',
      'work-queue/lease-renewal.ts',
      'work-queue/load-work.ts',
      'work-queue/work-queues.ts',
      'work-queue/ack-writer.ts',
      'work-queue/waiting-watch.ts',
    ],
  },
  'message-events': {
    reason: 'Opens and clicks of all tenants wait in one buffer and are recorded by one statement.',
    files: ['features/mail/email-tracking/message-events.ts'],
  },
  campaigns: {
    reason: 'Campaigns of all tenants become due or finish.',
    files: ['features/marketing/campaigns/sending/jobs.ts'],
  },
  jobs: {
    reason: 'Schedules belong to no tenant.',
    files: ['jobs/job-queue.ts'],
  },
  retention: {
    reason: 'Old rows of all tenants are deleted by age alone.',
    files: ['features/forms/form-submissions/jobs.ts', 'features/reports/retention.ts', 'jobs/retention.ts'],
  },
  'stored-bytes': {
    reason:
      'A process writes what it has counted for several tenants together, and `/metrics` shows the sum of all.',
    files: ['stored-bytes/stored-bytes.ts', 'features/operations/operations/stored-bytes-gauge.ts'],
  },
  'audience-sweep': {
    reason: 'The sweep finds tenants with audiences that filter by recent opens or clicks.',
    files: ['features/contacts/computed-audiences/sweep.ts'],
  },
  'entity-stagings': {
    reason: 'A cleanup finds tables that a killed process created for a change of definitions.',
    files: ['features/records/entities/staging.ts'],
  },
  'sign-in': {
    reason: 'A sign-in or password reset does not name a tenant, and the user may belong to several.',
    files: [
      'features/tenancy/password-resets/jobs.ts',
      'features/tenancy/password-resets/request.ts',
      'features/tenancy/password-resets/token.ts',
      'features/tenancy/sessions/browser/service.ts',
      'features/tenancy/sessions/passwords.ts',
      'features/tenancy/sessions/sign-in.ts',
      'tenancy/find-browser-session.ts',
    ],
  },
  'own-memberships': {
    reason: 'A user may belong to several tenants and sees all of them.',
    files: ['features/tenancy/business-units/routes.ts'],
  },
  'closed-tenants': {
    reason: 'Each process keeps the suspended tenants in memory, where pages, hooks and workers check them.',
    files: ['tenancy/closed-tenants.ts'],
  },
  'operator-tenants': {
    reason: 'The operator lists tenants and names one by its code.',
    files: ['features/operations/tenants/service.ts', 'tenancy/find-tenant.ts'],
  },
  'operator-outbox': {
    reason: 'The operator reads captured messages of any tenant.',
    files: ['features/mail/outbox/service.ts'],
  },
  'unused-users': {
    reason: 'A user is deleted with the last membership, which may be in another tenant.',
    files: ['features/tenancy/memberships/unused-users.ts'],
  },
  'tenant-deletion': {
    reason: 'A cleanup removes the remains of deleted tenants, and users with their last membership.',
    files: ['features/operations/tenants/deletion.ts'],
  },
  'tenant-reset': {
    reason: 'A user is deleted with the last membership, which may be in another tenant.',
    files: ['features/operations/tenants/reset.ts'],
  },
  'secret-keys': {
    reason: 'Keys belong to the installation, and a start checks which of them have encrypted data.',
    files: ['secrets/secret-keys.ts'],
  },
  'sealed-columns': {
    reason: 'When a key is rotated, the secrets of all tenants are encrypted again.',
    files: ['cli/check.ts', 'secrets/reencryption-job.ts'],
  },
  'key-tenant': {
    reason: 'The prefix of an API key leads to its tenant: once per process and key.',
    files: ['tenancy/find-caller.ts'],
  },
  'form-tenant': {
    reason: 'The public code of a form leads to its tenant: once per process and form.',
    files: ['features/forms/forms/queries.ts'],
  },
  'asset-tenant': {
    reason: 'The public address of an asset leads to its tenant: once per process and asset.',
    files: ['features/assets/queries.ts'],
  },
  'asset-removals': {
    reason: 'Unused files are removed for all tenants.',
    files: ['features/assets/removal.ts'],
  },
  'queue-handlers': {
    reason: 'A process takes the messages of the queues of all tenants from the broker.',
    files: ['features/automations/queues/queries.ts'],
  },
  'vector-models': {
    reason: 'A job finds indexes whose vectors come from another model than the configured one.',
    files: ['features/ai/ai-indexes/jobs.ts'],
  },
  readiness: {
    reason: 'The check that tables are usable is independent of tenants.',
    files: ['features/operations/operations/readiness.ts'],
  },
  tests: { reason: 'Tests read what was written.', files: [] },
} as const satisfies Readonly<Record<string, Use>>;

/** One of the listed reasons to work across tenants. */
export type EveryTenantUse = keyof typeof EVERY_TENANT_USES;

/** Look-ups that run without setting a tenant on the connection. */
export const LOOK_UPS = {
  caller: {
    reason: 'The caller is read by a function that bypasses isolation, for the tenant of the key or token.',
    files: ['tenancy/find-browser-session.ts', 'tenancy/find-caller.ts', 'tenancy/find-session-caller.ts'],
  },
  catalogue: {
    reason: 'The catalogue of tables and extensions is the same for all tenants.',
    files: ['features/ai/ai-indexes/scoring.ts', 'tenancy/scoped-tables.ts'],
  },
} as const satisfies Readonly<Record<string, Use>>;

/** One of the listed look-ups. */
export type LookUp = keyof typeof LOOK_UPS;

/** Number of tenants of a batch that are processed concurrently on a cluster. */
const TENANTS_AT_ONCE = 4;

/** Access to tenants of a cluster. */
interface ClusterAccess {
  readonly everyNode: EveryNode;
  /** Returns access to the rows of one tenant. */
  ofTenant(tenantId: string): EveryTenantDb;
}

/** The rows that an `EveryTenantDb` can access. */
interface Reach {
  /** The only tenant; null: all tenants. */
  readonly tenantId: string | null;
  /** Null if one statement can access all rows. */
  readonly cluster: ClusterAccess | null;
}

/** Access to the rows of all tenants, not restricted by scope or row-level security. */
export class EveryTenantDb {
  readonly query: Kysely<Tables>;
  /**
   * The only tenant of a part of a batch (see `byTenant`); null: statements access all tenants. SQL functions that
   * support both take it as an argument (src/db/sql/tenant-sql.sql).
   */
  readonly tenantId: string | null;
  readonly #cluster: ClusterAccess | null;

  constructor(query: Kysely<Tables>, { tenantId, cluster }: Reach) {
    this.query = query;
    this.tenantId = tenantId;
    this.#cluster = cluster;
  }

  /** True on a cluster, where a statement without a tenant reads all nodes. */
  get isSharded(): boolean {
    return this.#cluster !== null;
  }

  /** Runs an SQL statement. */
  raw<Row>(statement: RawBuilder<Row>): Promise<QueryResult<Row>> {
    return statement.execute(this.query);
  }

  /**
   * Reads rows of all tenants. On a cluster, rows of an unavailable node are missing. `statement` must apply its
   * condition to each table of tenants; its order and limit apply to each node separately.
   * @throws the database error if nothing can be read.
   */
  async gather<Row>(statement: (inTenants: TenantCondition) => RawBuilder<Row>): Promise<Gathered<Row>> {
    if (this.#cluster !== null) return this.#cluster.everyNode.gather(statement);
    return this.raw(statement(() => sql`true`));
  }

  /**
   * Returns those of the tenants whose node responds; on one server all of them.
   * @throws the database error unless it means that a node is unavailable.
   */
  async listReachable(tenantIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#cluster === null ? new Set(tenantIds) : this.#cluster.everyNode.listReachable(tenantIds);
  }

  /**
   * Runs `work` for items of several tenants: on one server in one call, on a cluster in one call per tenant on its
   * node, some of them concurrently.
   * @throws the error of the first failed call, after all have ended.
   */
  async byTenant<Item, Result>(
    items: readonly Item[],
    tenantOf: (item: Item) => string,
    work: (db: EveryTenantDb, items: readonly Item[]) => Promise<Result>,
  ): Promise<readonly Result[]> {
    const cluster = this.#cluster;
    if (cluster === null) return items.length === 0 ? [] : [await work(this, items)];
    const { results, failures } = await allSettled(
      Map.groupBy(items, tenantOf),
      TENANTS_AT_ONCE,
      ([tenantId, own]) => work(cluster.ofTenant(tenantId), own),
    );
    if (failures.length > 0) throw failures[0];
    return results;
  }

  /**
   * Changes tables in the open transaction, as their owner and for one of the listed uses.
   * @throws Error if no transaction is open.
   */
  async asOwner(_use: OwnerUse, statements: readonly RawBuilder<unknown>[]): Promise<void> {
    if (!this.query.isTransaction) throw new Error('Tables can be changed only in a transaction.');
    await runAsOwner(this.query, async () => {
      for (const statement of statements) await statement.execute(this.query);
    });
  }

  /** Like `transaction`, for work that also writes tables that all tenants share (`users`, `tenants`). */
  transactionWithSharedTables<T>(work: (tx: EveryTenantDb) => Promise<T>): Promise<T> {
    return this.transaction(async (tx) => {
      // Otherwise a cluster refuses them after writes of other tables.
      if (this.isSharded) await tx.raw(sql`set local citus.multi_shard_modify_mode to 'sequential'`);
      return work(tx);
    });
  }

  /**
   * Runs `work` in a transaction, and repeats it after a deadlock. `work` must not await anything but the database: the
   * embedded database has one connection.
   */
  transaction<T>(work: (tx: EveryTenantDb) => Promise<T>): Promise<T> {
    const reach = { tenantId: this.tenantId, cluster: null };
    return retryDeadlocks(() =>
      this.query.transaction().execute((query) => work(new EveryTenantDb(query, reach))),
    );
  }
}
