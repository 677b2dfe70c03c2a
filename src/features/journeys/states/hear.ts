/**
 * Events that states may have waited for. Whatever a state hears is kept in its row, whether it waits already or not: a walk
 * that is about to wait finds it when it is written (`writeStates`).
 */
import { sql } from 'kysely';
import { plannedAnew } from '../../../db/planned-anew.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { type HeardEvent, keysOf } from './awaited.ts';

/** Something that somebody did. */
export interface PersonEvent extends HeardEvent {
  readonly subscriberId: string;
}

/** Tells running states whose journeys may wait for such events, and wakes those that do; returns how many were woken. */
export async function hearEvents(tx: ScopedDb, events: readonly PersonEvent[], now: Date): Promise<number> {
  if (events.length === 0) return 0;
  const people = [...Map.groupBy(events, ({ subscriberId }) => subscriberId)].map(([subscriber_id, own]) => ({
    subscriber_id,
    kinds: [...new Set(own.map(({ type }) => type))],
    heard: lastOf(own),
  }));
  const { rows } = await tx.raw(
    (tenantId) => sql<{ woken: number }>`${plannedAnew}
    with given as materialized (
      select g.subscriber_id, array(select json_array_elements_text(g.kinds)) as kinds, g.heard
      from json_to_recordset(${JSON.stringify(people)}::json) as g (subscriber_id uuid, kinds json, heard jsonb)
    ), told as materialized (
      select s.id, s.subscriber_id, s.waits_for, s.waits_since, s.due_at = s.waits_until as waits from journey_states s
      where s.tenant_id = ${tenantId}::uuid and s.subscriber_id = any(${people.map((each) => each.subscriber_id)}::uuid[])
        and s.status = 'active' and s.hears && (select array_agg(distinct k) from given, unnest(given.kinds) k)
      order by s.id for no key update
    ), news as materialized (
      -- Whether it waits for what it hears, and nobody has leased it meanwhile.
      select t.id, g.heard, t.waits_for is not null and t.waits
        and coalesce((g.heard ->> t.waits_for)::timestamptz >= t.waits_since, false) as is_woken
      from told t join given g on g.subscriber_id = t.subscriber_id
    ), changed as (
      update journey_states s set heard = (
          select jsonb_object_agg(each.key, each.at) from (
            select e.key, max(e.value) as at
            from (select * from jsonb_each_text(s.heard) union all select * from jsonb_each_text(n.heard)) e
            group by e.key) each),
        due_at = case when n.is_woken then ${now}::timestamptz else s.due_at end,
        waits_until = case when n.is_woken then ${now}::timestamptz else s.waits_until end
      from news n where s.tenant_id = ${tenantId}::uuid and s.id = n.id and s.id = any(array(select id from news))
      returning s.due_at = ${now}::timestamptz as is_woken
    )
    select count(*) filter (where is_woken)::int as woken from changed`,
  );
  return rows[0]?.woken ?? 0;
}

/** The time of the last event under each key; texts of one form, which compare as the times do. */
function lastOf(events: readonly PersonEvent[]): Record<string, string> {
  const last: Record<string, string> = {};
  for (const event of events) {
    const at = event.at.toISOString();
    for (const key of keysOf(event)) if (at > (last[key] ?? '')) last[key] = at;
  }
  return last;
}
