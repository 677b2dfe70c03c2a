import { sql } from 'kysely';
import type { TimelineSource } from '../../../timeline/timeline-source.ts';

/** Mails to a subscriber: those of campaigns and journeys, and those to the address alone. */
export const mailTimeline: TimelineSource = {
  kinds: ['email'],
  entries: ({ tenantId, subscriberId, address, units }) => sql`
    select 'email', m.id::text, m.created_at, t.description, 'transmission', m.transmission_id::text,
      json_build_object('status', m.status, 'reason', coalesce(m.suppressed_by, m.bounce_reason, m.last_error))
    from email_messages m join transmissions t on t.tenant_id = ${tenantId}::uuid and t.id = m.transmission_id
    where m.tenant_id = ${tenantId}::uuid
      and (m.subscriber_id = ${subscriberId}::uuid or m.recipient = ${address} and m.subscriber_id is null)
      and (${units}::uuid[] is null or t.owner_bu_id = any(${units}::uuid[]))`,
};
