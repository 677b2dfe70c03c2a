/** Enrollment of one or thousands of subscribers, in a few statements (docs/specification/journeys.md#entering). */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { selectWritten } from '../../../db/written-json.ts';
import { type StoredCause, storedCause } from '../../../flows/chain.ts';
import type { Platform } from '../../../platform.ts';
import { type Actor, toActorRecord } from '../../../tenancy/actor.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';
import { subscriberLocks } from '../../contacts/api.ts';
import { awaitedTypes, laneOf } from '../definition/plan.ts';
import { endOfWait } from '../definition/wait-times.ts';
import { type JourneyRow, states } from '../resource.ts';
import type { ReEntry, Step } from '../schema.ts';
import { countChanges } from '../states/counts.ts';
import { JOURNEY_CALLS, JOURNEY_STEPS } from '../states/queue-names.ts';

/** A subscriber to enroll in a journey. */
export interface EnrollmentRequest {
  readonly journeyId: string;
  readonly subscriberId: string;
  /** Data that expressions and mails read as `trigger`. */
  readonly trigger: object;
  /** Id of the form submission that is the trigger. */
  readonly submissionId?: string;
  /** Skips subscribers that were enrolled at or after this time. */
  readonly since?: Date | undefined;
  /** Chain that led to the enrollment; defaults to that of the current work. */
  readonly cause?: StoredCause | null;
}

/** Actor and time of the enrollment. */
export interface EnterContext {
  readonly platform: Pick<Platform, 'workQueues'>;
  readonly now: Date;
  readonly actor: Actor;
}

/** Size of a stored trigger, in characters of JSON: each mail gets a copy. */
const MAX_TRIGGER_CHARS = 100_000;
/** Enrollments of a subscriber in one journey per hour. Limits journeys that trigger themselves. */
const MAX_ENTRIES_PER_HOUR = 20;
const DAY_MS = 24 * 60 * 60 * 1000;

type EnteredJourney = Pick<JourneyRow, 'id' | 'version' | 'owner_bu_id' | 're_entry' | 'steps'>;

/**
 * Enrolls subscribers that are active and in the journey's unit, if the journey is active and its rules let them enter.
 * `tx` is a transaction.
 * @returns the id of each new enrollment in the order of the requests; null if the subscriber was not enrolled.
 */
export async function enrollSubscribers(
  tx: ScopedDb,
  { platform, now, actor }: EnterContext,
  requests: readonly EnrollmentRequest[],
): Promise<readonly (string | null)[]> {
  if (requests.length === 0) return [];
  const subscribers = await subscriberLocks.shareLock(
    tx,
    [...new Set(requests.map(({ subscriberId }) => subscriberId))].toSorted(),
  );
  const journeys = await lockActive(tx, [...new Set(requests.map(({ journeyId }) => journeyId))].toSorted());
  const current = storedCause(tx.tenantId);
  const rows = requests.flatMap(
    ({ journeyId, subscriberId, trigger, submissionId, since, cause = current }, index) => {
      const journey = journeys.get(journeyId);
      const subscriber = subscribers.get(subscriberId);
      if (journey === undefined || !subscriber?.active) return [];
      if (subscriber.owner_bu_id !== journey.owner_bu_id) return [];
      return [
        {
          index,
          id: uuidv7(),
          journey_id: journeyId,
          subscriber_id: subscriberId,
          trigger: limitTrigger(trigger),
          submission_id: submissionId,
          since,
          cause,
        },
      ];
    },
  );
  if (rows.length === 0) return requests.map(() => null);
  const inserted = await insertStates(tx, { journeys: [...journeys.values()], rows, now, actor });
  await countChanges(
    tx,
    inserted.map(({ journey_id: journeyId }) => ({ journeyId, from: null, to: 'active' })),
  );
  const ids = new Map(rows.map(({ index, id }) => [index, id]));
  const entered = new Set(inserted.map(({ id }) => id));
  tx.afterCommit(() => {
    // An enrollment that begins with a wait is not due yet.
    const firstSteps = [...journeys.values()]
      .map(({ steps }) => steps[0])
      .filter((first) => endOfFirstWait(first, now) === null);
    for (const lane of new Set(firstSteps.map(laneOf)))
      platform.workQueues.wake(lane === 'calls' ? JOURNEY_CALLS : JOURNEY_STEPS);
  });
  return requests.map((_each, index) => {
    const id = ids.get(index);
    return id !== undefined && entered.has(id) ? id : null;
  });
}

/** Returns the active journeys among these ids. The locks prevent their deletion until the transaction ends. */
async function lockActive(
  tx: ScopedDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EnteredJourney>> {
  const { rows } = await tx.raw(
    (tenantId) => sql<EnteredJourney>`
    select id, version, owner_bu_id, re_entry, steps from journeys
    where tenant_id = ${tenantId}::uuid and id = any(${ids}::uuid[]) and active order by id for key share`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

interface NewStates {
  readonly journeys: readonly EnteredJourney[];
  /** Rows of the requests. */
  readonly rows: readonly object[];
  readonly now: Date;
  readonly actor: Actor;
}

/**
 * Inserts the allowed enrollments. An enrollment that exists already, or that another transaction inserts concurrently,
 * has the same
 * `entry` number, so that it conflicts.
 */
async function insertStates(tx: ScopedDb, { journeys, rows, now, actor }: NewStates) {
  const journeyRows = journeys.map(({ id, version, owner_bu_id, re_entry, steps }) => ({
    id,
    version,
    owner_bu_id,
    first: steps[0]?.key,
    lane: laneOf(steps[0]),
    hears: awaitedTypes(steps),
    ended_before: endedBefore(re_entry, now),
    waits_until: endOfFirstWait(steps[0], now),
  }));
  const { rows: inserted } = await tx.raw(
    (tenantId) => sql<{ id: string; journey_id: string }>`
    with requests as materialized (
      select g.* from json_to_recordset(${JSON.stringify(rows)}::json)
        as g (id uuid, journey_id uuid, subscriber_id uuid, trigger json, submission_id uuid, since timestamptz, cause json)
    ), target_journeys as materialized (
      select g.id, g.version, g.owner_bu_id, g.first, g.lane, g.ended_before, g.waits_until,
        array(select json_array_elements_text(g.hears)) as hears
      from json_to_recordset(${JSON.stringify(journeyRows)}::json) as g (id uuid, version int, owner_bu_id uuid, first text,
        lane text, ended_before timestamptz, waits_until timestamptz, hears json)
    ), allowed as materialized (
      select a.id, a.journey_id, a.subscriber_id, a.trigger, a.submission_id, a.cause, coalesce(last.entry, 0) + 1 as entry
      from requests a join target_journeys o on o.id = a.journey_id
      left join lateral (
        select s.entry, s.status, s.created_at, s.finished_at from journey_states s
        where s.tenant_id = ${tenantId}::uuid and s.subscriber_id = a.subscriber_id and s.target_id = a.journey_id
        order by s.entry desc limit 1) last on true
      where last.entry is null or last.status <> 'active' and last.finished_at <= o.ended_before
        and (a.since is null or last.created_at < a.since)
        and not exists (
          select from journey_states s
          where s.tenant_id = ${tenantId}::uuid and s.subscriber_id = a.subscriber_id and s.target_id = a.journey_id
            and s.entry = last.entry + 1 - ${MAX_ENTRIES_PER_HOUR}::int
            and s.created_at > ${now}::timestamptz - interval '1 hour')
    ), inserted as (
      insert into journey_states (tenant_id, id, target_id, state, due_at, attempts, lane, owner_bu_id, version, created_at,
        journey_version, subscriber_id, entry, status, current_step, arrived_at, waits_until, history, steps_taken, trigger,
        submission_id, cause, mails, hears, heard)
      select tenant_row.tenant_id, a.id, a.journey_id, 'pending', coalesce(o.waits_until, moment.now), 0, o.lane, o.owner_bu_id, 1, moment.now,
        o.version, a.subscriber_id, a.entry, 'active', o.first, moment.now, o.waits_until, '[]', 0, a.trigger,
        a.submission_id, a.cause, '{}', o.hears, '{}'
      from allowed a join target_journeys o on o.id = a.journey_id
      cross join ${tenantRow(tenantId)} cross join (select ${now}::timestamptz as now) moment
      on conflict (tenant_id, subscriber_id, target_id, entry) do nothing
      returning *
    ), recorded as (
      insert into record_history (tenant_id, entity_type, sort_key, version, deleted, owner_bu_id, recorded_at, data, actor)
      select tenant_row.tenant_id, 'user_journey_state', m.id::text, m.version, false, m.owner_bu_id, m.created_at,
        ${states.sqlView('m')}, ${JSON.stringify(toActorRecord(actor))}::json
      from inserted m cross join ${tenantRow(tenantId)}
    )
    select id, target_id as journey_id from inserted`,
  );
  return inserted;
}

/** Returns the end of the first step's wait; null if the first step is another one or the wait is over. */
function endOfFirstWait(first: Step | undefined, now: Date): Date | null {
  const end = first?.type === 'wait' ? endOfWait(first, now) : now;
  return end > now ? end : null;
}

/** Returns the time before which the last enrollment must have ended; null if subscribers never re-enter. */
function endedBefore(reEntry: ReEntry, now: Date): Date | 'infinity' | null {
  if (reEntry === 'never') return null;
  return reEntry === 'after_exit' ? 'infinity' : new Date(now.getTime() - reEntry.after_days * DAY_MS);
}

/** Returns the trigger without its largest fields if it exceeds the limit. */
function limitTrigger(trigger: object): object {
  const sized = Object.entries(trigger).map(([name, value]: [string, unknown]) => ({
    name,
    size: JSON.stringify({ [name]: value }).length,
  }));
  let remaining = MAX_TRIGGER_CHARS;
  const smallFields = sized
    .toSorted((a, b) => a.size - b.size)
    .filter(({ size }) => {
      remaining -= size;
      return remaining >= 0;
    });
  const names = new Set(smallFields.map(({ name }) => name));
  return selectWritten(trigger, (name) => names.has(name));
}
