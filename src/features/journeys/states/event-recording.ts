/**
 * Recording of events that enrollments may wait for. The row of an enrollment stores each event, even before the
 * enrollment waits for it: when it begins to wait, `writeStates` finds the event there.
 */
import { sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { eventKeys, type OccurredEvent } from './awaited-events.ts';

/** An event of a subscriber. */
export interface SubscriberEvent extends OccurredEvent {
  readonly subscriberId: string;
}

/**
 * Records events in the running enrollments that may wait for them and wakes those that do. Returns how many it woke.
 */
export async function recordEvents(
  tx: ScopedDb,
  events: readonly SubscriberEvent[],
  now: Date,
): Promise<number> {
  if (events.length === 0) return 0;
  const subscribers = [...Map.groupBy(events, ({ subscriberId }) => subscriberId)].map(
    ([subscriber_id, own]) => ({
      subscriber_id,
      kinds: [...new Set(own.map(({ type }) => type))],
      heard: lastOf(own),
    }),
  );
  const { rows } = await tx.raw(
    (tenantId) => sql<{ woken: number }>`
    with events as materialized (
      select g.subscriber_id, array(select json_array_elements_text(g.kinds)) as kinds, g.heard
      from json_to_recordset(${JSON.stringify(subscribers)}::json) as g (subscriber_id uuid, kinds json, heard jsonb)
    ), waiting as materialized (
      select s.id, s.subscriber_id, s.waits_for, s.waits_since,
        s.due_at = s.waits_until and s.claim_id is null as waits from journey_states s
      where s.tenant_id = ${tenantId}::uuid and s.subscriber_id = any(${subscribers.map((each) => each.subscriber_id)}::uuid[])
        and s.status = 'active' and s.hears && (select array_agg(distinct k) from events, unnest(events.kinds) k)
      order by s.id for no key update
    ), recorded as materialized (
      -- An enrollment is woken if it waits for the event and no worker has claimed it.
      select t.id, g.heard, t.waits_for is not null and t.waits
        and coalesce((g.heard ->> t.waits_for)::timestamptz >= t.waits_since, false) as is_woken
      from waiting t join events g on g.subscriber_id = t.subscriber_id
    ), changed as (
      update journey_states s set heard = (
          select jsonb_object_agg(each.key, each.at) from (
            select e.key, max(e.value) as at
            from (select * from jsonb_each_text(s.heard) union all select * from jsonb_each_text(n.heard)) e
            group by e.key) each),
        due_at = case when n.is_woken then ${now}::timestamptz else s.due_at end,
        waits_until = case when n.is_woken then ${now}::timestamptz else s.waits_until end
      from recorded n where s.tenant_id = ${tenantId}::uuid and s.id = n.id and s.id = any(array(select id from recorded))
      returning s.due_at = ${now}::timestamptz as is_woken
    )
    select count(*) filter (where is_woken)::int as woken from changed`,
    { plan: 'custom' },
  );
  return rows[0]?.woken ?? 0;
}

/** Returns the time of the last event for each key. ISO texts of this form sort like the times. */
function lastOf(events: readonly SubscriberEvent[]): Record<string, string> {
  const last: Record<string, string> = {};
  for (const event of events) {
    const at = event.at.toISOString();
    for (const key of eventKeys(event)) if (at > (last[key] ?? '')) last[key] = at;
  }
  return last;
}
