/** What claimed states work with: read for all of a claim in a few statements. */
import { sql } from 'kysely';
import type { StoredCause } from '../../../flows/chain.ts';
import type { Claim } from '../../../ledger/ledger.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { findPeople, type Person } from '../../campaigns/index.ts';
import { octetsOfValues } from '../../subscribers/index.ts';
import type { Plan } from '../definition/plan.ts';
import type { JourneyRow, Mails } from '../resource.ts';
import { findPlans, planKey } from './plans.ts';

/** A state as it was claimed. */
export interface LoadedState {
  readonly id: string;
  readonly target_id: string;
  readonly journey_version: number;
  readonly subscriber_id: string;
  readonly current_step: string | null;
  readonly arrived_at: string;
  readonly steps_taken: number;
  readonly trigger: object | null;
  readonly mails: Mails;
  /** What led to it. */
  readonly cause: StoredCause | null;
  readonly heard: Readonly<Record<string, string>>;
}

/** A journey as it is now. */
export type LoadedJourney = Pick<JourneyRow, 'id' | 'name' | 'active' | 'owner_bu_id'>;

/** What an attempt works with. */
export interface Work {
  readonly state: LoadedState;
  /** Null: it was deleted. */
  readonly journey: LoadedJourney | null;
  /** Null: the version is gone, with its journey. */
  readonly plan: Plan | null;
  /** Null: erased. */
  readonly person: Person | null;
}

/** What was left out, as it is large: so many octets. */
export interface LeftOut {
  readonly leftOut: number;
}

/** What set a state off and what is kept of its person are read with those of others up to this size, octets. */
const LARGEST_TOGETHER = 16 * 1024;
const NO_BOUND = 2 ** 31 - 1;

/** Reads what attempts need, but for what is large: their attempts read that one by one, by `loadLarge`. */
export async function loadStates(
  platform: Platform,
  claims: readonly Claim[],
): Promise<ReadonlyMap<string, Work | LeftOut>> {
  const work = new Map<string, Work | LeftOut>();
  for (const [tenantId, own] of Map.groupBy(claims, (claim) => claim.tenantId)) {
    const db = platform.scoped(wholeTenant(tenantId));
    const states = await findStates(db, own, LARGEST_TOGETHER);
    const together = states.filter(({ octets }) => octets <= LARGEST_TOGETHER);
    for (const each of await withAll(platform, db, together)) work.set(each.state.id, each);
    for (const { id, octets } of states) if (!work.has(id)) work.set(id, { leftOut: octets });
  }
  return work;
}

/** Reads all that one attempt needs, whatever its size. Undefined: it is gone. */
export async function loadLarge(platform: Platform, claim: Claim): Promise<Work | undefined> {
  const db = platform.scoped(wholeTenant(claim.tenantId));
  const [work] = await withAll(platform, db, await findStates(db, [claim], NO_BOUND));
  return work;
}

async function withAll(
  platform: Platform,
  db: ScopedDb,
  states: readonly LoadedState[],
): Promise<readonly Work[]> {
  if (states.length === 0) return [];
  const journeys = await findJourneys(db, [...new Set(states.map(({ target_id }) => target_id))]);
  const people = await findPeople(db, [...new Set(states.map((state) => state.subscriber_id))], null);
  const plans = await findPlans(platform, db, states.map(versionOf));
  return states.map((state) => ({
    state,
    journey: journeys.get(state.target_id) ?? null,
    plan: plans.get(planKey(versionOf(state))) ?? null,
    person: people.get(state.subscriber_id) ?? null,
  }));
}

/** The version with which a state began. */
export function versionOf({ target_id, journey_version }: LoadedState) {
  return { journeyId: target_id, version: journey_version };
}

/** `octets`: of what set a state off, which is left out where these are more than `most`, and of what is kept of its person. */
async function findStates(
  db: ScopedDb,
  claims: readonly Claim[],
  most: number,
): Promise<(LoadedState & { readonly octets: number })[]> {
  const ids = claims.map(({ id }) => id);
  const { rows } = await db.raw(
    (tenantId) => sql<LoadedState & { readonly octets: number }>`
    select s.id, s.target_id, s.journey_version, s.subscriber_id, s.current_step, s.arrived_at, s.steps_taken, s.mails,
      s.heard, s.cause, size.octets, case when size.octets <= ${most}::int then s.trigger end as trigger
    from unnest(${ids}::uuid[]) as k (id)
    cross join lateral (
      select * from journey_states s where s.tenant_id = ${tenantId}::uuid and s.id = k.id limit 1) s
    cross join lateral (
      select coalesce(octet_length(s.trigger::text), 0)
        + coalesce(${octetsOfValues(tenantId, sql`s.subscriber_id`)}, 0) as octets) size`,
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
