import { sql } from 'kysely';
import type { TimelineSource } from '../../../timeline/timeline-source.ts';

/** Journeys that a subscriber entered, each at the time of entering. */
export const journeyTimeline: TimelineSource = {
  kinds: ['journey'],
  entries: ({ tenantId, subscriberId, units }) => sql`
    select 'journey', s.id::text, s.created_at, j.name, 'journey', s.target_id::text,
      json_build_object('status', s.status, 'reason', s.error)
    from journey_states s join journeys j on j.tenant_id = ${tenantId}::uuid and j.id = s.target_id
    where s.tenant_id = ${tenantId}::uuid and s.subscriber_id = ${subscriberId}::uuid
      and (${units}::uuid[] is null or s.owner_bu_id = any(${units}::uuid[]))`,
};
