import { type RawBuilder, sql } from 'kysely';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import { storable } from '../db/storable.ts';
import type { Platform } from '../platform.ts';
import { brokenWaitSeconds } from './broken-attempts.ts';
import type { Claim } from './claim.ts';
import type { DueTarget } from './due-tenants.ts';
import type { Ack, WorkQueue, WorkQueueDefinition } from './work-queue.ts';

/** Number of attempts after which no work queue increases its wait before a retry. */
const MAX_WAITS = 20;

/** Number of rows of a target to claim. */
export interface Share extends Pick<DueTarget, 'tenant_id' | 'target_id'> {
  readonly count: number;
}

type ClaimOptions = 'table' | 'view' | 'columns' | 'largeColumns' | 'isOrdered';

/** Leases due rows of the given targets to this process. A row is not claimed again while its lease lasts. */
export async function claimDue<Row>(
  all: EveryTenantDb,
  {
    table,
    view = table,
    columns = [],
    largeColumns = [],
    isOrdered = false,
  }: Pick<WorkQueueDefinition<never, never, Row>, ClaimOptions>,
  shares: readonly Share[],
  now: Date,
  leasedUntil: Date,
): Promise<Claim<Row>[]> {
  const { rows } = await all.raw(sql<Claim<Row>>`
    select tenant_id as "tenantId", id, target_id as "targetId", attempts, faults, due_at as "leasedUntil", "row"
    from tessera_claim_due(${all.tenantId}, ${table}, ${view}, ${columns}, ${largeColumns}, ${now}, ${leasedUntil}, ${shares.map((share) => share.tenant_id)},
      ${shares.map((share) => share.target_id)}, ${shares.map((share) => share.count)}, ${isOrdered})`);
  return rows;
}

/**
 * Writes the outcomes of a batch; a row whose lease was lost stays unchanged. Results are columns of the table;
 * `defaults` are written where a result has no value. `sideEffect` is an SQL call in the same statement.
 */
export async function acknowledgeRows<Result>(
  all: EveryTenantDb,
  table: string,
  acks: readonly Ack<Result>[],
  defaults: Partial<Result> = {},
  sideEffect: RawBuilder<unknown> = sql`null`,
): Promise<void> {
  const rows = acks.map((ack) => {
    const { outcome } = ack;
    return { ...toRow(ack), result: { ...defaults, ...('result' in outcome ? outcome.result : {}) } };
  });
  const resultColumns = [...new Set(rows.flatMap(({ result }) => Object.keys(result)))];
  await all.raw(
    sql`select tessera_acknowledge(${all.tenantId}, ${table}, ${JSON.stringify(rows)}, ${resultColumns}), ${sideEffect}`,
  );
}

/** Ends leases of rows that were not attempted, as if never claimed; a row whose lease was lost stays unchanged. */
export async function returnRows(
  all: EveryTenantDb,
  table: string,
  claims: readonly Claim[],
  now: Date,
): Promise<void> {
  await all.raw(sql`
    update ${sql.table(table)} w set due_at = ${now}
    from unnest(${claims.map(({ tenantId }) => tenantId)}::uuid[], ${claims.map(({ id }) => id)}::uuid[],
      ${claims.map(({ leasedUntil }) => leasedUntil)}::timestamptz[]) as c (tenant_id, id, leased_until)
    where w.tenant_id = ${all.tenantId === null ? sql`c.tenant_id` : sql`${all.tenantId}::uuid`} and w.id = c.id and w.state = 'pending' and w.due_at = c.leased_until`);
}

/** Converts an acknowledgement to the JSON row that `tessera_acknowledge` expects. A null state deletes the row. */
export function toRow({ claim, outcome, at }: Ack<unknown>) {
  const { kind } = outcome;
  const isRestart = kind === 'restart';
  const isPending = isRestart || kind === 'retry';
  const isFault = 'isFault' in outcome && outcome.isFault === true;
  return {
    tenant_id: claim.tenantId,
    id: claim.id,
    leased_until: claim.leasedUntil,
    state: isPending ? 'pending' : kind === 'drop' ? null : kind,
    due_at: isPending ? outcome.dueAt : at,
    attempts: isRestart ? 0 : claim.attempts + 1,
    faults: isRestart ? 0 : claim.faults + (isFault ? 1 : 0),
    error: 'error' in outcome && outcome.error !== undefined ? storable(outcome.error) : null,
  };
}

/** Rows that a recall does not change. */
export interface LiveLeases {
  /** Leases of running processes end by this time, except those of `openIds`. */
  readonly endAt: Date;
  /** Ids of rows under way in this process. */
  readonly openIds: readonly string[];
}

/**
 * Corrects rows that a dead process or a wrong clock left due too late: they become due at the latest time that
 * `dueTimes` allows. For a row with attempts, a lease and a back-off look the same, but neither lasts longer than the
 * longest wait.
 */
export async function recallRows(
  platform: Platform,
  { table, view = table, dueTimes }: Pick<WorkQueue, 'table' | 'view' | 'dueTimes'>,
  now: Date,
  { endAt, openIds }: LiveLeases,
): Promise<void> {
  const { notBefore = sql`null`, longestWaitSeconds } = dueTimes;
  const waits = Array.from({ length: MAX_WAITS }, (_wait, index) =>
    Math.max(longestWaitSeconds(platform, index + 1), brokenWaitSeconds(index + 1)),
  );
  await platform.database.everyTenant('work-queues').raw(sql`
    with late as materialized (
      -- Materialize only rows that are due too late: there may be a million waiting ones.
      select each.tenant_id, each.id, each.latest from (
        select l.tenant_id, l.id, l.due_at, case
          when l.attempts = 0 then greatest(${now}::timestamptz, ${notBefore})
          else ${now}::timestamptz + make_interval(secs => (${waits}::float8[])[least(l.attempts, ${MAX_WAITS}::int)])
          end as latest
        from ${sql.table(view)} l where l.state = 'pending' and l.due_at > ${now > endAt ? now : endAt}) each
      where each.due_at > each.latest
    )
    update ${sql.table(table)} w set due_at = late.latest from late
    where w.tenant_id = late.tenant_id and w.id = late.id and w.due_at > late.latest
      and w.id <> all (${openIds}::uuid[])`);
}

/** Counts pending rows, up to `max`. */
export async function countPending(
  all: EveryTenantDb,
  { table, view = table }: Pick<WorkQueue, 'table' | 'view'>,
  max: number,
): Promise<number> {
  const { rows } = await all.gather(
    (inTenants) => sql<{ count: number }>`
      select count(*) from (
        select l.tenant_id from ${sql.table(view)} l
        where l.state = 'pending' and ${inTenants('l.tenant_id')} limit ${max}) pending`,
  );
  const found = rows.reduce((sum, { count }) => sum + count, 0);
  return Math.min(found, max);
}
