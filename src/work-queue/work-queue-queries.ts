import { type RawBuilder, sql } from 'kysely';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import { storable } from '../db/storable.ts';
import type { Platform } from '../platform.ts';
import { brokenWaitSeconds } from './broken-attempts.ts';
import type { Claim, NewClaim } from './claim.ts';
import type { DueTarget } from './due-tenants.ts';
import type { Ack, WorkQueue, WorkQueueDefinition } from './work-queue.ts';

/** Number of attempts after which no work queue increases its wait before a retry. */
const MAX_WAITS = 20;

/** Number of rows of a target to claim. */
export interface Share extends Pick<DueTarget, 'tenant_id' | 'target_id'> {
  readonly count: number;
}

type ClaimOptions = 'table' | 'view' | 'columns' | 'largeColumns' | 'isOrdered';

/** A claim, and the one whose lease had ended before, if any. */
export type NextClaim<Row> = Claim<Row> & { readonly previous: string | null };

/** Claims due rows of the given targets for this process. A row is not claimed again while its lease lasts. */
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
  { claimId, claimedAt, leaseSeconds }: NewClaim,
): Promise<NextClaim<Row>[]> {
  const { rows } = await all.raw(sql<Omit<NextClaim<Row>, 'claimId' | 'claimedAt'>>`
    select tenant_id as "tenantId", id, target_id as "targetId", attempts, faults, previous, "row"
    from tessera_claim_due(${all.tenantId}, ${table}, ${view}, ${columns}, ${largeColumns}, ${now}, ${leaseSeconds},
      ${claimId}, ${shares.map((share) => share.tenant_id)}, ${shares.map((share) => share.target_id)},
      ${shares.map((share) => share.count)}, ${isOrdered})`);
  return rows.map((row) => ({ ...row, claimId, claimedAt }));
}

/** The result of a renewal; a claim without one is locked, or its row is gone. */
export interface RenewedClaim {
  readonly id: string;
  readonly claim_id: string;
  /** False if the claim was lost. */
  readonly is_renewed: boolean;
}

/** Renews the leases of claims; see sql/renew-leases.sql. */
export async function renewLeases(
  all: EveryTenantDb,
  table: string,
  claims: readonly Claim[],
  leaseSeconds: number,
): Promise<readonly RenewedClaim[]> {
  const { rows } = await all.raw(sql<RenewedClaim>`
    select id, claim_id, is_renewed
    from tessera_renew_leases(${all.tenantId}, ${table}, ${leaseSeconds}, ${claims.map(({ tenantId }) => tenantId)},
      ${claims.map(({ id }) => id)}, ${claims.map(({ claimId }) => claimId)})`);
  return rows;
}

/**
 * Writes the outcomes of a batch; a row with another claim stays unchanged. Results are columns of the table;
 * `defaults` are written where a result has no value. `sideEffects` are SQL calls in the same statement.
 */
export async function acknowledgeRows<Result>(
  all: EveryTenantDb,
  table: string,
  acks: readonly Ack<Result>[],
  defaults: Partial<Result> = {},
  sideEffects: readonly RawBuilder<unknown>[] = [],
): Promise<void> {
  const rows = acks.map((ack) => {
    const { outcome } = ack;
    return { ...toRow(ack), result: { ...defaults, ...('result' in outcome ? outcome.result : {}) } };
  });
  const resultColumns = [...new Set(rows.flatMap(({ result }) => Object.keys(result)))];
  await all.raw(
    sql`select ${sql.join([
      sql`tessera_acknowledge(${all.tenantId}, ${table}, ${JSON.stringify(rows)}, ${resultColumns})`,
      ...sideEffects,
    ])}`,
  );
}

/** Ends claims of rows that were not attempted, as if never claimed; a row with another claim stays unchanged. */
export async function returnRows(
  all: EveryTenantDb,
  table: string,
  claims: readonly Claim[],
  now: Date,
): Promise<void> {
  await all.raw(sql`
    update ${sql.table(table)} w set due_at = ${now}, claim_id = null
    from unnest(${claims.map(({ tenantId }) => tenantId)}::uuid[], ${claims.map(({ id }) => id)}::uuid[],
      ${claims.map(({ claimId }) => claimId)}::uuid[]) as c (tenant_id, id, claim_id)
    where w.tenant_id = ${all.tenantId === null ? sql`c.tenant_id` : sql`${all.tenantId}::uuid`} and w.id = c.id and w.claim_id = c.claim_id`);
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
    claim_id: claim.claimId,
    state: isPending ? 'pending' : kind === 'drop' ? null : kind,
    due_at: isPending ? outcome.dueAt : at,
    attempts: isRestart ? 0 : claim.attempts + 1,
    faults: isRestart ? 0 : claim.faults + (isFault ? 1 : 0),
    error: 'error' in outcome && outcome.error !== undefined ? storable(outcome.error) : null,
  };
}

/**
 * Corrects rows that a wrong clock or a dead process left due too late: they become due at the latest time that
 * `dueTimes` allows, and leases end at most `leaseSeconds` from now. A living worker then renews its leases again. For
 * an unclaimed row with attempts, no wait is longer than the longest.
 */
export async function recallRows(
  platform: Platform,
  { table, view = table, dueTimes }: Pick<WorkQueue, 'table' | 'view' | 'dueTimes'>,
  now: Date,
  leaseSeconds: number,
): Promise<void> {
  const { notBefore = sql`null`, longestWaitSeconds } = dueTimes;
  const waits = Array.from({ length: MAX_WAITS }, (_wait, index) =>
    Math.max(longestWaitSeconds(platform, index + 1), brokenWaitSeconds(index + 1)),
  );
  const all = platform.database.everyTenant('work-queues');
  // A parameter of the statement below, because a cluster does not allow the clock together with columns.
  const { rows } = await all.raw(
    sql<{ at: string }>`select clock_timestamp() + make_interval(secs => ${leaseSeconds}) as at`,
  );
  const leaseEnd = rows[0]?.at ?? null;
  await all.raw(sql`
    with late as materialized (
      -- Materialize only rows that are due too late: there may be a million waiting ones.
      select each.tenant_id, each.id, each.latest from (
        select l.tenant_id, l.id, l.due_at, case
          when l.claim_id is not null then ${leaseEnd}::timestamptz
          when l.attempts = 0 then greatest(${now}::timestamptz, ${notBefore})
          else ${now}::timestamptz + make_interval(secs => (${waits}::float8[])[least(l.attempts, ${MAX_WAITS}::int)])
          end as latest
        from ${sql.table(view)} l
        where l.state = 'pending' and l.due_at > least(${now}::timestamptz, ${leaseEnd}::timestamptz)) each
      where each.due_at > each.latest
    )
    update ${sql.table(table)} w set due_at = late.latest from late
    where w.tenant_id = late.tenant_id and w.id = late.id and w.due_at > late.latest`);
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
