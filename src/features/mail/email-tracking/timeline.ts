import { sql } from 'kysely';
import type { TimelineSource } from '../../../timeline/timeline-source.ts';

/** Events of the mails to a subscriber. The relay's acceptance is part of the mail's own entry. */
export const mailEventTimeline: TimelineSource = {
  kinds: ['open', 'click', 'bounce', 'complaint', 'unsubscribe'],
  entries: ({ tenantId, subscriberId, address, units }) => sql`
    select e.type, e.id::text, e.occurred_at, t.description, 'transmission', m.transmission_id::text,
      json_build_object('url', e.url, 'reason', e.detail, 'machine_reason', e.machine_reason)
    from email_messages m join transmissions t on t.tenant_id = ${tenantId}::uuid and t.id = m.transmission_id
    join email_message_events e on e.tenant_id = ${tenantId}::uuid and e.message_id = m.id and e.type <> 'delivery'
    where m.tenant_id = ${tenantId}::uuid
      and (m.subscriber_id = ${subscriberId}::uuid or m.recipient = ${address} and m.subscriber_id is null)
      and (${units}::uuid[] is null or t.owner_bu_id = any(${units}::uuid[]))`,
};
