import { type RawBuilder, sql } from 'kysely';
import type { TimelineSource } from '../../timeline/timeline-source.ts';
import { changedFields } from '../tenancy/api.ts';

/**
 * Versions of a subscriber: those that changed a choice or the activity are consent, the others edits. Entries lead to
 * the version.
 */
export const historyTimeline: TimelineSource = {
  kinds: ['consent', 'edit'],
  entries: ({ tenantId, subscriberId }) => sql`
    select case when v.version = 1 or not v.is_choice then 'edit' else 'consent' end, v.version::text, v.recorded_at,
      null::text, 'marketing_subscriber', v.version::text,
      json_build_object('version', v.version, 'changed_fields', v.changed_fields, 'actor', v.actor,
        'active', case when v.version > 1 and v.is_active is distinct from v.was_active then v.is_active end,
        'choices', case when v.version > 1 then v.choices end)
    from (
      select h.version, h.recorded_at, h.actor, h.data ->> 'active' = 'true' as is_active,
        p.data ->> 'active' = 'true' as was_active, ${changedFields(tenantId)} as changed_fields, c.choices,
        c.choices is not null or h.data ->> 'active' is distinct from p.data ->> 'active' as is_choice
      from record_history h
      left join record_history p on p.tenant_id = ${tenantId}::uuid and p.entity_type = h.entity_type
        and p.sort_key = h.sort_key and p.version = h.version - 1 and not p.deleted
      cross join lateral (${changedChoices}) c
      where h.tenant_id = ${tenantId}::uuid and h.entity_type = 'marketing_subscriber' and h.sort_key = ${subscriberId}
        and not h.deleted
    ) v`,
};

/** SQL of the choices of subscription types that the version `h` changed since the version `p`; null if none. */
const changedChoices: RawBuilder<unknown> = sql`
  select json_agg(json_build_object('subscription_type_id', subscription_type_id, 'subscribed', subscribed)
    order by subscription_type_id) as choices
  from (
    select * from ${choicesIn('h')} except select * from ${choicesIn('p')}
  ) changed`;

function choicesIn(version: 'h' | 'p'): RawBuilder<unknown> {
  return sql`json_to_recordset(coalesce(${sql.ref(version)}.data -> 'subscription_preferences', '[]'))
    as choice (subscription_type_id text, subscribed boolean)`;
}
