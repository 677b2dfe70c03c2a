import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { DeliveryKind, DeliverySource } from '../../work-queue/delivery-source.ts';
import type { QueueItemState } from '../../work-queue/work-queue.ts';
import type { DeliveryConditions } from './filters.ts';

/** All states of a delivery. */
const QUEUE_STATES: readonly QueueItemState[] = ['pending', 'success', 'failed'];

/** The deliveries of one kind that a request concerns. */
export interface SelectedSource {
  readonly source: DeliverySource;
  /** The webhooks whose deliveries are selected; null: all of the tenant, and no filter needs the webhook. */
  readonly webhookIds: readonly string[] | null;
}

/** A delivery of any kind. */
export interface DeliveryRow {
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly webhook_id: string;
  readonly subject_id: string;
  readonly status: QueueItemState;
  readonly attempt_count: number;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly next_attempt_at: string | null;
  readonly created_at: string;
}

/** The part of a list that a request asks for. */
export interface DeliveryPage {
  readonly isDescending: boolean;
  /** The id of the last delivery before the page. */
  readonly after: string | null;
  readonly limit: number;
  readonly offset: number;
}

/** Returns a page of the selected deliveries, in the order of their creation. */
export async function listDeliveries(
  db: ScopedDb,
  selected: readonly SelectedSource[],
  conditions: DeliveryConditions,
  { isDescending, after, limit, offset }: DeliveryPage,
): Promise<DeliveryRow[]> {
  if (selected.length === 0) return [];
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  const start =
    after === null ? [] : [sql<SqlBool>`d.id ${sql.raw(isDescending ? '<' : '>')} ${after}::uuid`];
  const inOrder = sql`order by id ${direction} limit ${limit + offset}::bigint`;
  const { rows } = await db.raw((tenantId) => {
    const parts = selected.map((each) => {
      const { source } = each;
      // Each range can have all rows of the page.
      const byCode = sql`order by d.last_status_code ${direction}, d.id ${direction}`;
      const bounds = sql`limit ${limit + offset}::bigint`;
      const found = idsOf(tenantId, each, conditions, {
        where: start,
        end: sql`order by d.id ${direction} ${bounds}`,
        endWithoutCode: sql`${byCode} ${bounds}`,
      });
      return sql`(select ${columnsOf(source)} from ${kindOf(source)}
        cross join (select id from (${found}) each ${inOrder}) f
        join ${sql.table(source.queue.table)} d on d.tenant_id = ${tenantId}::uuid and d.id = f.id)`;
    });
    return sql<DeliveryRow>`
      select * from (${sql.join(parts, sql` union all `)}) each
      order by id ${direction} limit ${limit}::bigint offset ${offset}::bigint`;
  });
  return rows;
}

/** Counts the selected deliveries, up to `max` if it is given. */
export async function countDeliveries(
  db: ScopedDb,
  selected: readonly SelectedSource[],
  conditions: DeliveryConditions,
  max?: number,
): Promise<number> {
  if (selected.length === 0) return 0;
  const { rows } = await db.raw((tenantId) => {
    const parts = selected.map((each) => idsOf(tenantId, each, conditions));
    // Each part counts for itself without a bound, so that the database can read it in parallel.
    return max === undefined
      ? sql<{ count: string }>`select sum(part) as count from (
          ${sql.join(parts.map(countOf), sql` union all `)}) counted (part)`
      : sql<{ count: string }>`select count(*) from (
          select from (${sql.join(parts, sql` union all `)}) each limit ${max}::bigint) counted`;
  });
  return Number(rows[0]?.count ?? 0);
}

/** Returns a delivery of one kind, if the tenant has it. */
export async function findDelivery(
  db: ScopedDb,
  source: DeliverySource,
  id: string,
): Promise<DeliveryRow | undefined> {
  const { rows } = await db.raw(
    (tenantId) => sql<DeliveryRow>`
      select ${columnsOf(source)} from ${kindOf(source)}
      cross join ${sql.table(source.queue.table)} d
      where d.tenant_id = ${tenantId}::uuid and d.id = ${id}::uuid`,
  );
  return rows[0];
}

/**
 * Makes the selected deliveries due now, also during an attempt; returns their number. Finished ones start again at
 * zero attempts; pending ones keep their attempts.
 */
export async function makeDeliveriesDue(
  tx: ScopedDb,
  { source, webhookIds }: SelectedSource,
  conditions: DeliveryConditions,
  now: Date,
): Promise<number> {
  const { numAffectedRows } = await tx.raw((tenantId) => {
    const found = idsOf(tenantId, { source, webhookIds }, conditions);
    return sql`
      update ${sql.table(source.queue.table)} q set state = 'pending', due_at = ${now}::timestamptz, claim_id = null,
        attempts = case when q.state = 'pending' then q.attempts else 0 end,
        faults = case when q.state = 'pending' then q.faults else 0 end
      where q.tenant_id = ${tenantId}::uuid and q.id in (${found})`;
  });
  return Number(numAffectedRows ?? 0n);
}

function countOf(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select count(*) from (${ids}) each`;
}

/** The columns of `DeliveryRow`, over `k` and `d`. */
function columnsOf({ subject }: DeliverySource): RawBuilder<unknown> {
  return sql`d.id, k.kind, d.target_id as webhook_id, d.${sql.ref(subject)} as subject_id, d.state as status,
    d.attempts as attempt_count, d.last_status_code as status_code, d.last_error as error,
    case when d.state = 'pending' then d.due_at end as next_attempt_at, d.created_at`;
}

/** The table `k` with the kind of a source. */
function kindOf({ kind }: DeliverySource): RawBuilder<unknown> {
  return sql`(select ${kind}::text as kind) k`;
}

/** Parts of a selection of ids. */
interface IdRange {
  readonly where: readonly RawBuilder<SqlBool>[];
  /** The order and limit of each range of the index. */
  readonly end: RawBuilder<unknown>;
  /** The same for deliveries without a status code, whose order no index has unless it begins with the code. */
  readonly endWithoutCode: RawBuilder<unknown>;
}

const EVERY_ID: IdRange = { where: [], end: sql``, endWithoutCode: sql`` };

/** Selects ids of deliveries of one kind, from the index that suits the request. */
function idsOf(
  tenantId: string,
  { source, webhookIds }: SelectedSource,
  conditions: DeliveryConditions,
  { where, end, endWithoutCode }: IdRange = EVERY_ID,
): RawBuilder<unknown> {
  const { table } = source.queue;
  const range = (condition: RawBuilder<SqlBool>, rangeEnd = end) => sql`
    select d.id from ${sql.table(table)} d
    where d.tenant_id = ${tenantId}::uuid and ${condition} ${and([...conditions.ofDelivery, ...where])} ${rangeEnd}`;
  if (webhookIds === null)
    return sql`select d.id from ${kindOf(source)} cross join lateral (${range(sql`true`)}) d
      where true ${and(conditions.ofKind)}`;
  // Two parts, because no index finds a value that may be null. `offset 0` keeps the planner from joining whole tables
  // instead of reading ranges of the index.
  const ofOutcome = sql<SqlBool>`d.target_id = w.id and d.state = g.state`;
  return sql`select d.id from ${kindOf(source)}
    cross join unnest(${webhookIds}::uuid[]) as w (id)
    cross join lateral (${outcomesOf(tenantId, table)}) g
    cross join lateral (
      (${range(sql`${ofOutcome} and d.last_status_code = g.code`)} offset 0)
      union all
      (${range(sql`${ofOutcome} and d.last_status_code is null and g.code is null`, endWithoutCode)} offset 0)) d
    where true ${and(conditions.ofKind)} ${and(conditions.ofWebhook)} ${and(conditions.ofOutcome)}`;
}

/**
 * Selects the outcomes that deliveries of webhook `w` can have: each state with each status code, and with none. A
 * loose scan of the index finds the codes, by one entry each. States are not compared by order: under row-level
 * security, no index is used for the order of texts.
 */
function outcomesOf(tenantId: string, table: string): RawBuilder<unknown> {
  const next = (condition: RawBuilder<SqlBool>) => sql`
    select d.last_status_code as code from ${sql.table(table)} d
    where d.tenant_id = ${tenantId}::uuid and d.target_id = w.id and ${condition}
    order by d.last_status_code limit 1`;
  return sql`with recursive codes as (
      (${next(sql`d.last_status_code is not null`)})
      union all
      select n.code from codes c cross join lateral (${next(sql`d.last_status_code > c.code`)}) n
    ) select each.code, s.state from (select code from codes union all select null) each
    cross join unnest(${QUEUE_STATES}::text[]) as s (state)`;
}

function and(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<unknown> {
  return sql.join(
    conditions.map((condition) => sql`and ${condition}`),
    sql` `,
  );
}
