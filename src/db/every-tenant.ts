import { type Kysely, type QueryResult, type RawBuilder, sql } from 'kysely';
import { retryDeadlocks } from './deadlock.ts';
import type { EveryNode, Gathered, IsAskedFor } from './every-node.ts';
import { type OwnerUse, runAsOwner } from './owner-uses.ts';
import { settleAll } from './settle-all.ts';
import type { Tables } from './tables.ts';

/** What the tenant setting holds when the platform itself works across tenants. */
export const EVERY_TENANT = '*';

/** Why work goes across tenants, and in which files of `src`; a contract test holds this list and its callers equal. */
interface Use {
  readonly reason: string;
  readonly files: readonly string[];
}

/** Every use that is made of the rows of all tenants. Whatever knows its tenant opens a `ScopedDb` instead. */
export const EVERY_TENANT_USES = {
  ledgers: {
    reason:
      'A worker claims due rows of all tenants in turn, and reads and settles a batch of them in one statement each.',
    files: [
      'features/automations/runs-ledger.ts',
      'ledger/http-ledger.ts',
      'ledger/ledger-queries.ts',
      'ledger/ledger-worker.ts',
      'ledger/load-work.ts',
      'ledger/ledgers.ts',
      'ledger/settler.ts',
      'ledger/waiting-watch.ts',
    ],
  },
  'message-events': {
    reason: 'Opens and clicks of all tenants wait in one buffer and are recorded by one statement.',
    files: ['features/email-tracking/message-events.ts'],
  },
  campaigns: {
    reason: 'E-mails of all tenants come due, and have been sent.',
    files: ['features/campaigns/sending/jobs.ts'],
  },
  jobs: {
    reason: 'Schedules belong to no tenant, and the lease of a job is renewed as it was taken.',
    files: ['jobs/job-ledger.ts'],
  },
  retention: {
    reason: 'What is old is removed of all tenants, by age alone.',
    files: ['features/form-submissions/jobs.ts', 'features/reports/retention.ts', 'jobs/retention.ts'],
  },
  'stored-bytes': {
    reason:
      'A process writes what it has counted for several tenants together, and `/metrics` shows the sum of all.',
    files: ['stored-bytes/stored-bytes.ts', 'features/operations/stored-bytes-gauge.ts'],
  },
  'audience-sweep': {
    reason: 'Tenants are looked for whose audiences ask who opened or clicked lately.',
    files: ['features/computed-audiences/sweep.ts'],
  },
  'entity-stagings': {
    reason: 'What was made for changes of tables whose process has died is looked for.',
    files: ['features/entities/staging.ts'],
  },
  'sign-in': {
    reason: 'Who signs in or gets another password names no tenant, and may belong to several.',
    files: [
      'features/password-resets/jobs.ts',
      'features/password-resets/request.ts',
      'features/password-resets/token.ts',
      'features/sessions/passwords.ts',
      'features/sessions/sign-in.ts',
    ],
  },
  'own-memberships': {
    reason: 'A person may belong to several tenants and is shown all of them.',
    files: ['features/business-units/routes.ts'],
  },
  'closed-tenants': {
    reason: 'Each process knows which tenants are suspended, for whatever it does for one of them.',
    files: ['tenancy/closed-tenants.ts'],
  },
  'operator-tenants': {
    reason: 'The operator lists tenants and names one by its code.',
    files: ['features/tenants/service.ts', 'tenancy/find-tenant.ts'],
  },
  'operator-outbox': {
    reason: 'The operator reads captured messages, whose tenant is not asked for.',
    files: ['features/outbox/service.ts'],
  },
  'lone-people': {
    reason: 'A person is deleted with the last membership, which may be in another tenant.',
    files: ['features/memberships/lone-people.ts'],
  },
  'tenant-deletion': {
    reason: 'What deleted tenants have left is removed, and people with their last membership.',
    files: ['features/tenants/deletion.ts'],
  },
  'tenant-reset': {
    reason: 'A person is deleted with the last membership, which may be in another tenant.',
    files: ['features/tenants/reset.ts'],
  },
  'secret-keys': {
    reason: 'Keys are those of the installation, and a start looks which have sealed anything.',
    files: ['secrets/secret-keys.ts'],
  },
  'sealed-columns': {
    reason: 'When a key is rotated, the secrets of all tenants are sealed anew.',
    files: ['cli/check.ts', 'secrets/seal-anew-job.ts'],
  },
  'key-tenant': {
    reason: 'The prefix of an API key leads to its tenant: once per process and key.',
    files: ['tenancy/find-caller.ts'],
  },
  'form-tenant': {
    reason: 'The public code of a form leads to its tenant: once per process and form.',
    files: ['features/forms/queries.ts'],
  },
  'asset-tenant': {
    reason: 'The public address of an asset leads to its tenant: once per process and asset.',
    files: ['features/assets/queries.ts'],
  },
  'asset-removals': {
    reason: 'Files that nobody needs any more are removed for all tenants.',
    files: ['features/assets/removal.ts'],
  },
  'queue-handlers': {
    reason: 'A process takes the messages of the queues of all tenants from the broker.',
    files: ['features/queues/queries.ts'],
  },
  'vector-models': {
    reason: 'Indexes are looked for whose vectors are of another model than the present one.',
    files: ['features/ai-indexes/jobs.ts'],
  },
  readiness: {
    reason: 'Whether the tables can be used has nothing to do with a tenant.',
    files: ['features/operations/readiness.ts'],
  },
  tests: { reason: 'Tests look at what was written.', files: [] },
} as const satisfies Readonly<Record<string, Use>>;

/** One of the listed reasons to work across tenants. */
export type EveryTenantUse = keyof typeof EVERY_TENANT_USES;

/** Look-ups for which a connection is not taken to a tenant: they run under whichever it last worked for. */
export const LOOK_UPS = {
  caller: {
    reason: 'Who calls is read of the tenant of the key or token, by a function that runs past isolation.',
    files: ['tenancy/find-caller.ts', 'tenancy/find-session-caller.ts'],
  },
  catalogue: {
    reason: 'The catalogue of tables and extensions is the same for all tenants.',
    files: ['features/ai-indexes/scoring.ts', 'tenancy/scoped-tables.ts'],
  },
} as const satisfies Readonly<Record<string, Use>>;

/** One of the listed look-ups. */
export type LookUp = keyof typeof LOOK_UPS;

/** How many tenants of a batch are worked at once where each is a statement of its own. */
const TENANTS_AT_ONCE = 4;

/** How tenants that are spread over nodes are reached. */
interface Spread {
  readonly everyNode: EveryNode;
  /** Opens the rows of one tenant by themselves. */
  ofTenant(tenantId: string): EveryTenantDb;
}

/** Which rows an `EveryTenantDb` reaches. */
interface Reach {
  /** The one tenant whose rows they are; null: those of all. */
  readonly tenantId: string | null;
  /** Null: one statement reaches all of them. */
  readonly spread: Spread | null;
}

/** The rows of all tenants: neither scope nor row-level security narrows a statement. */
export class EveryTenantDb {
  readonly query: Kysely<Tables>;
  /**
   * The one tenant that a part of a batch belongs to (see `byTenant`); null: statements reach the rows of all. SQL
   * functions that serve both are told (src/db/sql/tenant-sql.sql).
   */
  readonly tenantId: string | null;
  readonly #spread: Spread | null;

  constructor(query: Kysely<Tables>, { tenantId, spread }: Reach) {
    this.query = query;
    this.tenantId = tenantId;
    this.#spread = spread;
  }

  /** Whether tenants are spread over nodes, so that a statement which names none asks all of them. */
  get isSharded(): boolean {
    return this.#spread !== null;
  }

  /** Runs a statement that is written in SQL. */
  raw<Row>(statement: RawBuilder<Row>): Promise<QueryResult<Row>> {
    return statement.execute(this.query);
  }

  /**
   * Reads rows of all tenants. Where these are spread over nodes, those of a node that is away are missing; `statement` has
   * its condition narrow each table that has tenants, and its order and its limit are those of each part.
   * @throws what the database says when nothing can be read.
   */
  async gather<Row>(statement: (isAskedFor: IsAskedFor) => RawBuilder<Row>): Promise<Gathered<Row>> {
    if (this.#spread !== null) return this.#spread.everyNode.gather(statement);
    return this.raw(statement(() => sql`true`));
  }

  /**
   * Which of these tenants, or of what stands for one, have their rows on a node that answers: all of them on one server.
   * @throws what the database says when that is something else than that a node is away.
   */
  async listReachable(tenantIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#spread === null ? new Set(tenantIds) : this.#spread.everyNode.listReachable(tenantIds);
  }

  /**
   * Does `work` for items of several tenants: on one server in one call, where tenants are spread over nodes in one for
   * each tenant, on that tenant's node, some at the same time.
   * @throws what the first call that failed threw, once all have ended.
   */
  async byTenant<Item, Result>(
    items: readonly Item[],
    tenantOf: (item: Item) => string,
    work: (db: EveryTenantDb, items: readonly Item[]) => Promise<Result>,
  ): Promise<readonly Result[]> {
    const spread = this.#spread;
    if (spread === null) return items.length === 0 ? [] : [await work(this, items)];
    const { results, failures } = await settleAll(
      Map.groupBy(items, tenantOf),
      TENANTS_AT_ONCE,
      ([tenantId, own]) => work(spread.ofTenant(tenantId), own),
    );
    if (failures.length > 0) throw failures[0];
    return results;
  }

  /** Changes tables in the open transaction, as their owner and for one of the listed uses. @throws Error outside one */
  async asOwner(_use: OwnerUse, statements: readonly RawBuilder<unknown>[]): Promise<void> {
    if (!this.query.isTransaction) throw new Error('Tables are changed in a transaction.');
    await runAsOwner(this.query, async () => {
      for (const statement of statements) await statement.execute(this.query);
    });
  }

  /**
   * Runs `work` in a transaction, again after a deadlock. Never await outside work inside: the embedded database has one
   * connection.
   */
  transaction<T>(work: (tx: EveryTenantDb) => Promise<T>): Promise<T> {
    const reach = { tenantId: this.tenantId, spread: null };
    return retryDeadlocks(() =>
      this.query.transaction().execute((query) => work(new EveryTenantDb(query, reach))),
    );
  }
}
