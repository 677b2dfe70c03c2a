/**
 * Reads over all tenants where these are spread over nodes: one statement asks all nodes, and fails when one of them is
 * away. Then each part of the tenants is asked by itself, so that those on other nodes do not notice.
 */
import { type QueryResult, type RawBuilder, type SqlBool, sql } from 'kysely';

/** Parts that are asked at once. */
const PARTS_AT_ONCE = 4;
/** How long a part that did not answer is not asked again, milliseconds. */
const LEFT_ALONE_MS = 5_000;

/** SQL: whether a row is asked for, by the name of the column that holds its tenant; each table that is read needs it. */
export type IsAskedFor = (column: string) => RawBuilder<SqlBool>;

/** What was read, in no order. */
export interface Gathered<Row> {
  readonly rows: readonly Row[];
  /** Why the rows of some tenants are missing; undefined: none are. */
  readonly failure?: unknown;
}

/** Tenants on one node, named by what they have in common there. */
interface Part {
  readonly id: number;
  readonly tenants: readonly string[];
}

type Run = <Row>(statement: RawBuilder<Row>) => Promise<QueryResult<Row>>;

/** Runs such reads, and knows which parts did not answer lately. */
export class EveryNode {
  readonly #run: Run;
  readonly #onAway: (error: unknown) => void;
  /** Why a part did not answer, and until when it is left alone, by the monotonic clock. */
  readonly #away = new Map<number, { readonly failure: unknown; readonly until: number }>();

  /** `run` reaches the rows of all tenants; `onAway` is told of each failure of a part. */
  constructor(run: Run, onAway: (error: unknown) => void) {
    this.#run = run;
    this.#onAway = onAway;
  }

  /** @throws what the database says when no part of the tenants can be asked. */
  async gather<Row>(write: (isAskedFor: IsAskedFor) => RawBuilder<Row>): Promise<Gathered<Row>> {
    if (this.#away.size === 0) {
      const whole = await this.#run(write(() => sql`true`)).catch(() => null);
      if (whole !== null) return { rows: whole.rows };
    }
    return this.#byPart((part) =>
      this.#run(write((column) => sql`${sql.ref(column)} = any(${part.tenants}::uuid[])`)),
    );
  }

  async #byPart<Row>(ask: (part: Part) => Promise<QueryResult<Row>>): Promise<Gathered<Row>> {
    const waiting = await this.#listParts();
    const rows: Row[] = [];
    const failures: unknown[] = [];
    let answers = 0;
    const askNext = async () => {
      for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
        const answer = await this.#ask(part, ask);
        if ('failure' in answer) failures.push(answer.failure);
        else answers += 1;
        rows.push(...answer.rows);
      }
    };
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, askNext));
    if (failures.length === 0) return { rows };
    if (answers === 0) throw failures[0];
    return { rows, failure: failures[0] };
  }

  async #ask<Row>(part: Part, ask: (part: Part) => Promise<QueryResult<Row>>): Promise<Gathered<Row>> {
    const known = this.#away.get(part.id);
    if (known !== undefined && performance.now() < known.until) return { rows: [], failure: known.failure };
    try {
      const { rows } = await ask(part);
      this.#away.delete(part.id);
      return { rows };
    } catch (failure) {
      this.#onAway(failure);
      this.#away.set(part.id, { failure, until: performance.now() + LEFT_ALONE_MS });
      return { rows: [], failure };
    }
  }

  /** From tables that every node has. A part is a shard of the tables that are placed together. */
  async #listParts(): Promise<Part[]> {
    const { rows } = await this.#run(sql<Part>`
      select get_shard_id_for_distribution_column('business_units', tenant_id)::int as id, array_agg(tenant_id) as tenants
      from tenants group by 1`);
    // Parts come and go as tenants are moved.
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of this.#away.keys()) if (!ids.has(id)) this.#away.delete(id);
    return rows;
  }
}
