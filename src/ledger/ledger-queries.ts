import { type RawBuilder, sql } from 'kysely';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import { storable } from '../db/storable.ts';
import type { Platform } from '../platform.ts';
import { brokenWaitSeconds } from './broken-attempts.ts';
import type { Claim, Ledger, Settlement } from './ledger.ts';

/** After more attempts no ledger lets a row wait longer than after so many. */
const MOST_WAITS = 20;

/** What rows are worked for: within it concurrency is bounded. */
export interface Target {
  readonly tenant_id: string;
  readonly target_id: string;
}

/** A target with rows that are due now. */
export interface DueTarget extends Target {
  /** Due rows, counted no further than the places of a target. */
  readonly due: number;
}

/** How many rows of a target may be claimed. */
export interface Share extends Target {
  readonly count: number;
}

/** What a look for due targets is told of a tenant that is being worked. */
export interface KnownTenant {
  readonly tenant_id: string;
  /** The target after which the look begins; null: with the first. */
  readonly after: string | null;
  /** How many due targets to look for. */
  readonly places: number;
}

/** The due targets of one tenant. */
export interface DueTenant {
  readonly tenant_id: string;
  /** In the order of their ids, after where the look began. */
  readonly targets: readonly DueTarget[];
}

/** Some tenants with waiting rows, whether due or not. */
export interface TenantPage {
  readonly tenants: readonly DueTenant[];
  /** The tenant after which the next page begins; null when this was the last. */
  readonly end: string | null;
}

/** Comes before every tenant and every target. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Where a look begins and how far it goes. */
export interface Look {
  /** The tenant after which it begins; null: with the first. */
  readonly after: string | null;
  readonly tenants: number;
  /** How many due rows of a target are counted. */
  readonly perTarget: number;
  /** How many due targets of a tenant that is not known are looked for. */
  readonly perTenant: number;
  readonly known: readonly KnownTenant[];
}

/** The next tenants with their due targets; sql/due-targets.sql tells how. */
export async function listDueTenants(
  all: EveryTenantDb,
  table: string,
  now: Date,
  { after, tenants: size, perTarget, perTenant, known }: Look,
): Promise<TenantPage> {
  const { rows } = await all.raw(sql<{
    tenant_id: string;
    target_id: string | null;
    due: number;
    step: number;
  }>`
    select * from tessera_due_targets(${table}, ${now}, ${perTarget}, ${perTenant}, ${after ?? BEFORE_ALL}, ${size},
      ${known.map((tenant) => tenant.tenant_id)}, ${known.map((tenant) => tenant.after ?? BEFORE_ALL)},
      ${known.map((tenant) => tenant.places)})`);
  const tenants = [...Map.groupBy(rows, (row) => row.tenant_id)].map(([tenant_id, found]) => ({
    tenant_id,
    targets: found.flatMap(({ target_id, due }) =>
      target_id === null ? [] : [{ tenant_id, target_id, due }],
    ),
  }));
  return { tenants, end: tenants.length < size ? null : (tenants.at(-1)?.tenant_id ?? null) };
}

/** Leases due rows of the given targets to this process. Two workers never get the same row while a lease holds. */
export async function claimDue(
  all: EveryTenantDb,
  table: string,
  shares: readonly Share[],
  now: Date,
  leasedUntil: Date,
): Promise<Claim[]> {
  const { rows } = await all.raw(sql<Claim>`
    select tenant_id as "tenantId", id, target_id as "targetId", attempts, due_at as "leasedUntil"
    from tessera_claim_due(${table}, ${now}, ${leasedUntil}, ${shares.map((share) => share.tenant_id)},
      ${shares.map((share) => share.target_id)}, ${shares.map((share) => share.count)})`);
  return rows;
}

/** Writes the outcomes of a batch; a row whose lease was lost is left as it is. */
export async function settleRows(
  all: EveryTenantDb,
  table: string,
  settlements: readonly Settlement<unknown>[],
): Promise<void> {
  await all.raw(sql`select ${settleCall(table, settlements, () => ({}))}`);
}

/**
 * The call that does so, for a ledger whose statement makes another one too. `columnsOf` names what a note changes beside
 * the ledger's own columns.
 */
export function settleCall<Note>(
  table: string,
  settlements: readonly Settlement<Note>[],
  columnsOf: (note: Note | undefined) => Readonly<Record<string, unknown>>,
): RawBuilder<unknown> {
  const rows = settlements.map((settlement) => {
    const { outcome } = settlement;
    return { ...toRow(settlement), note: 'note' in outcome ? columnsOf(outcome.note) : undefined };
  });
  return sql`tessera_settle(${table}, ${JSON.stringify(rows)}, ${Object.keys(columnsOf(undefined))})`;
}

/** What every ledger's statement needs of a settlement: the lease, and the row as it is to be; a null state drops it. */
export function toRow({ claim, outcome, at }: Settlement<unknown>) {
  const state = outcome.kind === 'retry' ? 'pending' : outcome.kind;
  return {
    tenant_id: claim.tenantId,
    id: claim.id,
    leased_until: claim.leasedUntil,
    state: state === 'drop' ? null : state,
    due_at: outcome.kind === 'retry' ? outcome.dueAt : at,
    error: 'error' in outcome ? storable(outcome.error) : null,
  };
}

/** Which rows a recall leaves alone. */
export interface LiveLeases {
  /** No row that is due later is leased to a living process, except the held ones. */
  readonly endAt: Date;
  /** Ids of the rows that this process is working. */
  readonly heldIds: readonly string[];
}

/**
 * Gives rows that are due later than the ledger's rules allow the latest time that they do. Of a row that was
 * attempted before nobody can tell a lease from a back-off, but neither lasts longer than the longest wait.
 */
export async function recallRows(
  platform: Platform,
  { table, dueTimes }: Pick<Ledger, 'table' | 'dueTimes'>,
  now: Date,
  { endAt, heldIds }: LiveLeases,
): Promise<void> {
  const { notBefore = sql`null`, longestWaitSeconds } = dueTimes;
  const waits = Array.from({ length: MOST_WAITS }, (_wait, index) =>
    Math.max(longestWaitSeconds(platform, index + 1), brokenWaitSeconds(index + 1)),
  );
  await platform.database.everyTenant('ledgers').raw(sql`
    update ${sql.table(table)} w set due_at = late.latest
    from (
      select l.tenant_id, l.id, case
        when l.attempts = 0 then greatest(${now}::timestamptz, ${notBefore})
        else ${now}::timestamptz + make_interval(secs => (${waits}::float8[])[least(l.attempts, ${MOST_WAITS}::int)])
        end as latest
      from ${sql.table(table)} l where l.state = 'pending' and l.due_at > ${maxOf(now, endAt)}) late
    where w.tenant_id = late.tenant_id and w.id = late.id and w.due_at > late.latest
      and w.id <> all (${heldIds}::uuid[])`);
}

function maxOf(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/** Pending rows, counted up to `most`. */
export async function countPending(all: EveryTenantDb, table: string, most: number): Promise<number> {
  const { rows } = await all.raw(sql<{ count: number }>`
    select count(*) from (select from ${sql.table(table)} where state = 'pending' limit ${most}) pending`);
  return rows[0]?.count ?? 0;
}
