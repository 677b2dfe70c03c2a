/** Statements that change enrollments in batches. They write each new version into history, as its GET returns it. */

import { type RawBuilder, sql } from 'kysely';
import { type Actor, toActorRecord } from '../../../tenancy/actor.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';
import type { Claim } from '../../../work-queue/claim.ts';
import { subscriberLocks } from '../../contacts/api.ts';
import { type Mails, states } from '../resource.ts';
import type { HistoryEntry, Status } from '../schema.ts';
import { countChanges } from './counts.ts';

/** A locked enrollment whose claim is still valid. */
export interface LockedState {
  readonly id: string;
  readonly target_id: string;
  readonly subscriber_id: string;
  readonly current_step: string | null;
  readonly steps_taken: number;
}

/** Locks the enrollments whose claims are still valid, until the transaction ends. Returns them by id. */
export async function lockClaimed(
  tx: ScopedDb,
  claims: readonly Pick<Claim, 'id' | 'claimId'>[],
): Promise<ReadonlyMap<string, LockedState>> {
  const sorted = claims
    .map(({ id, claimId }) => ({ id, claim_id: claimId }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const { rows } = await tx.raw(
    (tenantId) => sql<LockedState>`
    select s.* from json_to_recordset(${JSON.stringify(sorted)}::json) as k (id uuid, claim_id uuid)
    cross join lateral (
      select s.id, s.target_id, s.subscriber_id, s.current_step, s.steps_taken from journey_states s
      where s.tenant_id = ${tenantId}::uuid and s.id = k.id and s.state = 'pending' and s.claim_id = k.claim_id
      limit 1 for no key update) s`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** New column values of an enrollment. */
export interface StateUpdate {
  readonly id: string;
  readonly state: string;
  readonly due_at: Date;
  readonly attempts: number;
  readonly faults: number;
  readonly last_error: string | null;
  /** True if the API shows the change, so that the version increases. */
  readonly is_new_version: boolean;
  readonly status: Status;
  readonly current_step: string | null;
  readonly lane: 'steps' | 'calls' | 'parked';
  readonly arrived_at: Date;
  readonly waits_until: Date | null;
  readonly finished_at: Date | null;
  readonly error: string | null;
  readonly steps_taken: number;
  readonly entries: readonly HistoryEntry[];
  readonly mails: Mails;
  readonly waits_for: string | null;
  readonly waits_since: Date | null;
}

/**
 * Writes locked enrollments. The event that an enrollment begins to wait for may have occurred since the claim: then
 * the `heard` column has it, and the enrollment is due at once. `recordEvents` waits for the row lock, so no event is
 * lost.
 */
export async function writeStates(tx: ScopedDb, updates: readonly StateUpdate[], now: Date): Promise<void> {
  if (updates.length === 0) return;
  await tx.raw(
    (tenantId) => sql`
    with updates as materialized (
      select g.* from json_to_recordset(${JSON.stringify(updates)}::json) as g (id uuid, state text, due_at timestamptz,
        attempts int, faults int, last_error text, is_new_version boolean, status text, current_step text, lane text,
        arrived_at timestamptz, waits_until timestamptz, finished_at timestamptz, error text, steps_taken int, entries json,
        mails json, waits_for text, waits_since timestamptz)
    ), known as materialized (
      select g.*, g.waits_for is not null and s.has_occurred as is_woken from updates g
      cross join lateral (
        select coalesce((s.heard ->> g.waits_for)::timestamptz >= g.waits_since, false) as has_occurred from journey_states s
        where s.tenant_id = ${tenantId}::uuid and s.id = g.id limit 1) s
    ), changed as (
      update journey_states s set state = k.state, claim_id = null, due_at = case when k.is_woken then ${now}::timestamptz else k.due_at end,
        attempts = k.attempts, faults = k.faults, last_error = k.last_error, version = s.version + k.is_new_version::int,
        status = k.status, current_step = k.current_step, lane = k.lane, arrived_at = k.arrived_at,
        waits_until = case when k.is_woken then ${now}::timestamptz else k.waits_until end, finished_at = k.finished_at,
        error = k.error, steps_taken = k.steps_taken, waits_for = k.waits_for, waits_since = k.waits_since,
        history = case when json_array_length(k.entries) = 0 then s.history
          else (s.history::jsonb || k.entries::jsonb)::json end,
        mails = case when k.mails::text = '{}' then s.mails else (s.mails::jsonb || k.mails::jsonb)::json end
      from known k where s.tenant_id = ${tenantId}::uuid and s.id = k.id and s.id = any(${updates.map(({ id }) => id)}::uuid[])
      returning s.*, k.is_new_version
    ), recorded as (${recordVersions(tenantId, sql`select * from changed where is_new_version`, { kind: 'platform' }, now)})
    select count(*) from changed`,
    { plan: 'custom' },
  );
}

/**
 * SQL that writes rows of `journey_states` into history: new versions of changed rows, or the last versions of deleted
 * rows.
 */
function recordVersions(
  tenantId: string,
  rows: RawBuilder<unknown>,
  actor: Actor,
  now: Date,
  isDeletion = false,
): RawBuilder<unknown> {
  return sql`
    insert into record_history (tenant_id, entity_type, sort_key, version, deleted, owner_bu_id, recorded_at, data, actor)
    select tenant_row.tenant_id, 'user_journey_state', v.id::text, v.version, ${sql.lit(isDeletion)}::boolean, v.owner_bu_id, ${now}::timestamptz,
      ${states.sqlView('v')}, ${JSON.stringify(toActorRecord(actor))}::json
    from (${rows}) v cross join ${tenantRow(tenantId)}`;
}

/**
 * Parks due enrollments of inactive journeys until their activation. Enrollments of a journey that is active again stay
 * due. The share-lock makes an activation wait for this transaction, so that it finds the parked enrollments.
 */
export async function parkStates(
  tx: ScopedDb,
  parked: readonly { readonly id: string; readonly journeyId: string }[],
  now: Date,
): Promise<void> {
  if (parked.length === 0) return;
  const journeyIds = [...new Set(parked.map(({ journeyId }) => journeyId))].toSorted();
  const { rows } = await tx.raw(
    (tenantId) => sql<{ id: string }>`
    select id from journeys where tenant_id = ${tenantId}::uuid and id = any(${journeyIds}::uuid[]) and not active
    order by id for share`,
  );
  const inactiveIds = rows.map(({ id }) => id);
  const ids = parked.map(({ id }) => id);
  await tx.raw(
    (tenantId) => sql`
    update journey_states s set due_at = ${now}, claim_id = null, attempts = 0, faults = 0, last_error = null,
      lane = case when s.target_id = any(${inactiveIds}::uuid[]) then 'parked' else s.lane end
    where s.tenant_id = ${tenantId}::uuid and s.id = any(${ids}::uuid[])`,
  );
}

/** Makes up to `limit` parked enrollments due if the journey is still active. Returns how many. */
export async function unparkStates(
  tx: ScopedDb,
  journeyId: string,
  limit: number,
  now: Date,
): Promise<number> {
  const { numAffectedRows } = await tx.raw(
    (tenantId) => sql`
    update journey_states s set lane = 'steps', due_at = ${now}
    where s.tenant_id = ${tenantId}::uuid and s.id = any(array(
      select p.id from journey_states p
      where p.tenant_id = ${tenantId}::uuid and p.target_id = ${journeyId}::uuid and p.state = 'pending' and p.lane = 'parked'
        and exists (select from journeys j where j.tenant_id = ${tenantId}::uuid and j.id = ${journeyId}::uuid and j.active)
      order by p.id limit ${limit} for no key update))`,
  );
  return Number(numAffectedRows ?? 0);
}

/** Selection of running enrollments. */
export type StateSelection =
  | { readonly ids: readonly string[] }
  | { readonly subscriberIds: readonly string[] }
  | { readonly journeyId: string; readonly limit: number };

/** Ends running enrollments as `exited` and writes their last versions. Returns how many. */
export async function endStates(
  tx: ScopedDb,
  { actor, now }: { readonly actor: Actor; readonly now: Date },
  selection: StateSelection,
): Promise<number> {
  const { rows } = await tx.raw(
    (tenantId) => sql<{ journey_id: string }>`
    with running as materialized (
      select s.id from journey_states s where s.tenant_id = ${tenantId}::uuid and s.status = 'active'
        and ${selectionCondition(selection)}
      order by s.id ${'limit' in selection ? sql`limit ${selection.limit}` : sql``} for no key update
    ), changed as (
      update journey_states s set state = 'success', due_at = ${now}, claim_id = null, status = 'exited', finished_at = ${now},
        version = s.version + 1, waits_until = null, waits_for = null, waits_since = null, current_step = null,
        history = (s.history::jsonb || jsonb_build_array(jsonb_build_object('step', coalesce(s.current_step, ''),
          'at', ${now.toISOString()}::text, 'outcome', 'exited')))::json
      where s.tenant_id = ${tenantId}::uuid and s.id = any(array(select id from running))
      returning s.*
    ), recorded as (${recordVersions(tenantId, sql`select * from changed`, actor, now)})
    select target_id as journey_id from changed`,
    { plan: 'custom' },
  );
  await countChanges(
    tx,
    rows.map(({ journey_id: journeyId }) => ({ journeyId, from: 'active', to: 'exited' })),
  );
  return rows.length;
}

/**
 * Deletes up to `limit` enrollments of a journey. Returns how many. Their history stays, and `journey_past_states`
 * records their subscribers.
 */
export async function deleteStates(
  tx: ScopedDb,
  { actor, now }: { readonly actor: Actor; readonly now: Date },
  { journeyId, limit }: { readonly journeyId: string; readonly limit: number },
): Promise<number> {
  const found = await tx.query
    .selectFrom('journey_states')
    .select(['id', 'subscriber_id'])
    .where('target_id', '=', journeyId)
    .limit(limit)
    .execute();
  // Locks the subscribers: an erasure in between would find neither the enrollment nor its `journey_past_states` row.
  const subscribers = await subscriberLocks.keyShareLock(tx, [
    ...new Set(found.map(({ subscriber_id }) => subscriber_id)),
  ]);
  const existing = [...subscribers.keys()];
  await tx.raw(
    (tenantId) => sql`
    with deleted as (
      delete from journey_states s
      where s.tenant_id = ${tenantId}::uuid and s.id = any(${found.map(({ id }) => id)}::uuid[])
      returning s.*
    ), past as (
      insert into journey_past_states (tenant_id, subscriber_id, state_id)
      select tenant_row.tenant_id, d.subscriber_id, d.id from deleted d cross join ${tenantRow(tenantId)}
      where d.subscriber_id = any(${existing}::uuid[])
    ), recorded as (${recordVersions(tenantId, sql`select * from deleted where subscriber_id = any(${existing}::uuid[])`, actor, now, true)})
    select count(*) from deleted`,
  );
  return found.length;
}

function selectionCondition(selection: StateSelection): RawBuilder<unknown> {
  if ('ids' in selection) return sql`s.id = any(${selection.ids}::uuid[])`;
  if ('subscriberIds' in selection) return sql`s.subscriber_id = any(${selection.subscriberIds}::uuid[])`;
  return sql`s.target_id = ${selection.journeyId}::uuid`;
}
