/** Batch loader of claimed enrollments: reads the data of all of them with a few statements. */

import { sql } from 'kysely';
import type { StoredCause } from '../../../flows/chain.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { Claim } from '../../../work-queue/claim.ts';
import { additionalFields } from '../../contacts/api.ts';
import { findMailSubscribers, type MailSubscriber } from '../../marketing/api.ts';
import type { Plan } from '../definition/plan.ts';
import type { JourneyRow, Mails } from '../resource.ts';
import { findPlans, planKey } from './plans.ts';

/** A claimed enrollment. */
export interface LoadedState {
  readonly id: string;
  /** Id of the journey, which is the target of the work queue. */
  readonly target_id: string;
  readonly journey_version: number;
  readonly subscriber_id: string;
  readonly current_step: string | null;
  readonly arrived_at: string;
  readonly steps_taken: number;
  readonly trigger: object | null;
  readonly mails: Mails;
  /** The chain of automations, webhooks and journeys that led to the enrollment. */
  readonly cause: StoredCause | null;
  /** Time of the last occurrence of each awaited event, by event key. */
  readonly heard: Readonly<Record<string, string>>;
}

/** The current journey, which may be newer than the enrollment's version. */
export type LoadedJourney = Pick<JourneyRow, 'id' | 'name' | 'active' | 'owner_bu_id'>;

/** Data of one attempt. */
export interface Work {
  readonly state: LoadedState;
  /** Null if it was deleted. */
  readonly journey: LoadedJourney | null;
  /** Null if the version was deleted with its journey. */
  readonly plan: Plan | null;
  /** Null if the subscriber was deleted or erased. */
  readonly subscriber: MailSubscriber | null;
}

/** Data that is too large to load with the batch; its size in bytes. */
export interface DeferredWork {
  readonly deferredBytes: number;
}

/** Largest size (bytes) of a trigger and its subscriber's fields that is loaded with the batch. */
const MAX_BATCHED_BYTES = 16 * 1024;
const NO_LIMIT = 2 ** 31 - 1;

/** Loads the data of attempts. Attempts with large data load it one by one, with `loadLarge`. */
export async function loadStates(
  platform: Platform,
  claims: readonly Claim[],
): Promise<ReadonlyMap<string, Work | DeferredWork>> {
  const work = new Map<string, Work | DeferredWork>();
  for (const [tenantId, own] of Map.groupBy(claims, (claim) => claim.tenantId)) {
    const db = platform.scoped(wholeTenant(tenantId));
    const states = await findStates(db, own, MAX_BATCHED_BYTES);
    const batched = states.filter(({ bytes }) => bytes <= MAX_BATCHED_BYTES);
    for (const each of await assembleWork(platform, db, batched)) work.set(each.state.id, each);
    for (const { id, bytes } of states) if (!work.has(id)) work.set(id, { deferredBytes: bytes });
  }
  return work;
}

/** Loads all data of one attempt, of any size. Undefined if the enrollment was deleted. */
export async function loadLarge(platform: Platform, claim: Claim): Promise<Work | undefined> {
  const db = platform.scoped(wholeTenant(claim.tenantId));
  const [work] = await assembleWork(platform, db, await findStates(db, [claim], NO_LIMIT));
  return work;
}

async function assembleWork(
  platform: Platform,
  db: ScopedDb,
  states: readonly LoadedState[],
): Promise<readonly Work[]> {
  if (states.length === 0) return [];
  const journeys = await findJourneys(db, [...new Set(states.map(({ target_id }) => target_id))]);
  const subscribers = await findMailSubscribers(
    db,
    [...new Set(states.map((state) => state.subscriber_id))],
    null,
  );
  const plans = await findPlans(platform, db, states.map(versionOf));
  return states.map((state) => ({
    state,
    journey: journeys.get(state.target_id) ?? null,
    plan: plans.get(planKey(versionOf(state))) ?? null,
    subscriber: subscribers.get(state.subscriber_id) ?? null,
  }));
}

/** The journey version with which an enrollment began. */
export function versionOf({ target_id, journey_version }: LoadedState) {
  return { journeyId: target_id, version: journey_version };
}

/**
 * Reads enrollments. `bytes` is the size of the trigger and the subscriber's fields. Above `maxBytes` it omits the
 * trigger.
 */
async function findStates(
  db: ScopedDb,
  claims: readonly Claim[],
  maxBytes: number,
): Promise<(LoadedState & { readonly bytes: number })[]> {
  const ids = claims.map(({ id }) => id);
  const { rows } = await db.raw(
    (tenantId) => sql<LoadedState & { readonly bytes: number }>`
    select s.id, s.target_id, s.journey_version, s.subscriber_id, s.current_step, s.arrived_at, s.steps_taken, s.mails,
      s.heard, s.cause, size.bytes, case when size.bytes <= ${maxBytes}::int then s.trigger end as trigger
    from unnest(${ids}::uuid[]) as k (id)
    cross join lateral (
      select * from journey_states s where s.tenant_id = ${tenantId}::uuid and s.id = k.id limit 1) s
    cross join lateral (
      select coalesce(octet_length(s.trigger::text), 0)
        + coalesce(${additionalFields.bytesOfValues(tenantId, sql`s.subscriber_id`)}, 0) as bytes) size`,
  );
  return rows;
}

async function findJourneys(
  db: ScopedDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LoadedJourney>> {
  const rows = await db.query
    .selectFrom('journeys')
    .select(['id', 'name', 'active', 'owner_bu_id'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
