/**
 * Reads rows of all tenants of a cluster. One statement reads all nodes, and fails if one of them is unavailable. In
 * that case the tenants of each node are read separately, so that rows of the other nodes are still found.
 */
import { type QueryResult, type RawBuilder, type SqlBool, sql } from 'kysely';
import { allSettled } from './all-settled.ts';
import type { Gathered, TenantCondition } from './gathered-rows.ts';
import { isTenantUnavailable } from './tenant-unavailable.ts';

/** Number of nodes that are read concurrently. */
const NODES_AT_ONCE = 4;
/** Shortest time before an unavailable node is tried again, in ms. */
const RETRY_AFTER_MS = 5_000;
/** Factor of the time that a failed attempt took: a silent node is tried again after three times that time. */
const RETRY_AFTER_FACTOR = 3;

/** The tenants on the node with the number `id`. */
interface NodeTenants {
  readonly id: number;
  readonly tenants: readonly string[];
}

/** Error of an unavailable node, and the time of the next try on the monotonic clock. */
interface Unavailable {
  readonly failure: unknown;
  readonly until: number;
}

type Run = <Row>(statement: RawBuilder<Row>) => Promise<QueryResult<Row>>;

/** Runs reads over all nodes, and remembers which ones were unavailable. */
export class EveryNode {
  readonly #run: Run;
  readonly #onUnavailable: (error: unknown) => void;
  /** Unavailable nodes by number. */
  readonly #unavailable = new Map<number, Unavailable>();

  /** `run` runs a statement for all tenants; `onUnavailable` is called with each error of a node. */
  constructor(run: Run, onUnavailable: (error: unknown) => void) {
    this.#run = run;
    this.#onUnavailable = onUnavailable;
  }

  /** Reads rows of all reachable nodes. @throws the database error if no node is reachable, or for any other error. */
  async gather<Row>(build: (inTenants: TenantCondition) => RawBuilder<Row>): Promise<Gathered<Row>> {
    if (this.#unavailable.size === 0) {
      try {
        return { rows: (await this.#run(build(() => sql`true`))).rows };
      } catch (error) {
        if (!isTenantUnavailable(error)) throw error;
      }
    }
    const parts = await this.#listParts();
    const { results, failure } = await this.#readEach(parts, (part) =>
      this.#run(build((column) => isOf(part, column))),
    );
    if (failure === undefined) return { rows: results.flatMap(({ rows }) => rows) };
    if (results.length === 0) throw failure;
    return { rows: results.flatMap(({ rows }) => rows), failure };
  }

  /**
   * Returns those of the tenants whose node responds. A node known to be unavailable is not waited for.
   * @throws the database error unless it means that a node is unavailable.
   */
  async listReachable(tenantIds: readonly string[]): Promise<ReadonlySet<string>> {
    const parts = await this.#listPartsOf(sql`from unnest(${tenantIds}::uuid[]) as t (tenant_id)`);
    const { results } = await this.#readEach(parts, async (part) => {
      await this.#run(sql`select count(*) from business_units where ${isOf(part, 'tenant_id')}`);
      return part.tenants;
    });
    return new Set(results.flat());
  }

  async #readEach<Result>(
    parts: readonly NodeTenants[],
    read: (part: NodeTenants) => Promise<Result>,
  ): Promise<{ readonly results: readonly Result[]; readonly failure?: unknown }> {
    const { results, failures } = await allSettled(parts, NODES_AT_ONCE, (part) => this.#read(part, read));
    const fault = failures.find((failure) => !isTenantUnavailable(failure));
    if (fault !== undefined) throw fault;
    return { results, failure: failures[0] };
  }

  async #read<Result>(part: NodeTenants, read: (part: NodeTenants) => Promise<Result>): Promise<Result> {
    const known = this.#unavailable.get(part.id);
    if (known === undefined) return this.#readNow(part, read);
    // Try again in the background, because a silent node may take long.
    if (performance.now() >= known.until) this.#retry(part, read, known);
    throw known.failure;
  }

  /** Checks if an unavailable node is back. Never rejects. */
  async #retry(
    part: NodeTenants,
    read: (part: NodeTenants) => Promise<unknown>,
    known: Unavailable,
  ): Promise<void> {
    this.#unavailable.set(part.id, { ...known, until: Number.POSITIVE_INFINITY });
    await this.#readNow(part, read).catch((failure: unknown) => {
      // An error of another kind says nothing about the node, so its state stays.
      if (!isTenantUnavailable(failure)) this.#unavailable.set(part.id, known);
    });
  }

  async #readNow<Result>(part: NodeTenants, read: (part: NodeTenants) => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      const result = await read(part);
      this.#unavailable.delete(part.id);
      return result;
    } catch (failure) {
      if (isTenantUnavailable(failure)) this.#markUnavailable(part, failure, performance.now() - startedAt);
      throw failure;
    }
  }

  #markUnavailable({ id }: NodeTenants, failure: unknown, waitedMs: number): void {
    this.#onUnavailable(failure);
    const until = performance.now() + Math.max(RETRY_AFTER_MS, RETRY_AFTER_FACTOR * waitedMs);
    this.#unavailable.set(id, { failure, until });
  }

  async #listParts(): Promise<readonly NodeTenants[]> {
    const parts = await this.#listPartsOf(sql`from tenants t`);
    // An unavailable node may have been removed from the cluster.
    const ids = new Set(parts.map(({ id }) => id));
    for (const id of this.#unavailable.keys()) if (!ids.has(id)) this.#unavailable.delete(id);
    return parts;
  }

  /** Returns the nodes of the tenants in a `from` clause with alias `t`, from tables that every node has. */
  async #listPartsOf(fromTenants: RawBuilder<unknown>): Promise<readonly NodeTenants[]> {
    const { rows } = await this.#run(sql<NodeTenants>`
      select p.groupid as id, array_agg(t.tenant_id) as tenants
      from (
        select t.tenant_id, get_shard_id_for_distribution_column('business_units', t.tenant_id) as shardid
        ${fromTenants}) t
      join pg_dist_placement p using (shardid)
      group by p.groupid`);
    return rows;
  }
}

function isOf({ tenants }: NodeTenants, column: string): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} = any(${tenants}::uuid[])`;
}
