/**
 * Reads over all tenants where these are spread over nodes: one statement asks all nodes, and fails when one of them is
 * away. Then the tenants of each node are asked by themselves, so that those on other nodes do not notice.
 */
import { type QueryResult, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isNodeAway } from './node-away.ts';
import { settleAll } from './settle-all.ts';

/** Parts that are asked at once. */
const PARTS_AT_ONCE = 4;
/** How long a node that did not answer is not asked again, at least, milliseconds. */
const LEFT_ALONE_MS = 5_000;
/** The same, for so many times as long as it was waited for: of a machine that is silent. */
const LEFT_ALONE_TIMES = 3;

/**
 * SQL: whether a row is asked for, by the name of the column that holds its tenant. Each table that is read needs it, and
 * no other condition on that column which names tenants: of two Citus takes one to find the nodes to ask.
 */
export type IsAskedFor = (column: string) => RawBuilder<SqlBool>;

/** What was read, in no order. */
export interface Gathered<Row> {
  readonly rows: readonly Row[];
  /** Why the rows of some tenants are missing; undefined: none are. */
  readonly failure?: unknown;
}

/** The tenants on one node, which has the number `id`. */
interface Part {
  readonly id: number;
  readonly tenants: readonly string[];
}

/** Why a node did not answer, and until when it is left alone, by the monotonic clock. */
interface Away {
  readonly failure: unknown;
  readonly until: number;
}

type Run = <Row>(statement: RawBuilder<Row>) => Promise<QueryResult<Row>>;

/** Runs such reads, and knows which parts did not answer lately. */
export class EveryNode {
  readonly #run: Run;
  readonly #onAway: (error: unknown) => void;
  /** By the numbers of the nodes. */
  readonly #away = new Map<number, Away>();

  /** `run` reaches the rows of all tenants; `onAway` is told of each failure of a part. */
  constructor(run: Run, onAway: (error: unknown) => void) {
    this.#run = run;
    this.#onAway = onAway;
  }

  /** @throws what the database says when no node can be asked, or when it is something else than that one is away. */
  async gather<Row>(write: (isAskedFor: IsAskedFor) => RawBuilder<Row>): Promise<Gathered<Row>> {
    if (this.#away.size === 0) {
      try {
        return { rows: (await this.#run(write(() => sql`true`))).rows };
      } catch (error) {
        if (!isNodeAway(error)) throw error;
      }
    }
    const parts = await this.#listParts();
    const { results, failure } = await this.#askEach(parts, (part) =>
      this.#run(write((column) => isOf(part, column))),
    );
    if (failure === undefined) return { rows: results.flatMap(({ rows }) => rows) };
    if (results.length === 0) throw failure;
    return { rows: results.flatMap(({ rows }) => rows), failure };
  }

  /**
   * Which of these tenants, or of what stands for one, are on nodes that answer. Nobody waits for a node of which it is
   * known that it does not. @throws what the database says when that is something else than that a node is away.
   */
  async listReachable(tenantIds: readonly string[]): Promise<ReadonlySet<string>> {
    const parts = await this.#listPartsOf(sql`from unnest(${tenantIds}::uuid[]) as t (tenant_id)`);
    const { results } = await this.#askEach(parts, async (part) => {
      await this.#run(sql`select count(*) from business_units where ${isOf(part, 'tenant_id')}`);
      return part.tenants;
    });
    return new Set(results.flat());
  }

  async #askEach<Answer>(
    parts: readonly Part[],
    ask: (part: Part) => Promise<Answer>,
  ): Promise<{ readonly results: readonly Answer[]; readonly failure?: unknown }> {
    const { results, failures } = await settleAll(parts, PARTS_AT_ONCE, (part) => this.#ask(part, ask));
    const fault = failures.find((failure) => !isNodeAway(failure));
    if (fault !== undefined) throw fault;
    return { results, failure: failures[0] };
  }

  async #ask<Answer>(part: Part, ask: (part: Part) => Promise<Answer>): Promise<Answer> {
    const known = this.#away.get(part.id);
    if (known === undefined) return this.#askNow(part, ask);
    // Nobody waits for it: a machine that is silent may take its time.
    if (performance.now() >= known.until) this.#tryAgain(part, ask, known);
    throw known.failure;
  }

  /** Never rejects. */
  async #tryAgain(part: Part, ask: (part: Part) => Promise<unknown>, known: Away): Promise<void> {
    this.#away.set(part.id, { ...known, until: Number.POSITIVE_INFINITY });
    await this.#askNow(part, ask).catch((failure: unknown) => {
      // What is no sign of the node says nothing of it, either way.
      if (!isNodeAway(failure)) this.#away.set(part.id, known);
    });
  }

  async #askNow<Answer>(part: Part, ask: (part: Part) => Promise<Answer>): Promise<Answer> {
    const askedAt = performance.now();
    try {
      const answer = await ask(part);
      this.#away.delete(part.id);
      return answer;
    } catch (failure) {
      if (isNodeAway(failure)) this.#leaveAlone(part, failure, performance.now() - askedAt);
      throw failure;
    }
  }

  #leaveAlone({ id }: Part, failure: unknown, waitedMs: number): void {
    this.#onAway(failure);
    const until = performance.now() + Math.max(LEFT_ALONE_MS, LEFT_ALONE_TIMES * waitedMs);
    this.#away.set(id, { failure, until });
  }

  async #listParts(): Promise<readonly Part[]> {
    const parts = await this.#listPartsOf(sql`from tenants t`);
    // A node that was away may have been removed since.
    const ids = new Set(parts.map(({ id }) => id));
    for (const id of this.#away.keys()) if (!ids.has(id)) this.#away.delete(id);
    return parts;
  }

  /** The parts of the tenants that a clause gives as `t`, from tables that every node has. */
  async #listPartsOf(fromTenants: RawBuilder<unknown>): Promise<readonly Part[]> {
    const { rows } = await this.#run(sql<Part>`
      select p.groupid as id, array_agg(t.tenant_id) as tenants
      from (
        select t.tenant_id, get_shard_id_for_distribution_column('business_units', t.tenant_id) as shardid
        ${fromTenants}) t
      join pg_dist_placement p using (shardid)
      group by p.groupid`);
    return rows;
  }
}

function isOf({ tenants }: Part, column: string): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} = any(${tenants}::uuid[])`;
}
