import { sql } from 'kysely';
import type { TimelineSource } from '../../../timeline/timeline-source.ts';

/** Submissions with the address of a subscriber. */
export const submissionTimeline: TimelineSource = {
  kinds: ['submission'],
  entries: ({ tenantId, address, units }) => sql`
    select 'submission', f.id::text, f.created_at, f.form_name, 'form_submission', f.id::text,
      json_build_object('form_code', f.form_code)
    from form_submissions f
    where f.tenant_id = ${tenantId}::uuid and f.address_key = ${address}
      and (${units}::uuid[] is null or f.owner_bu_id = any(${units}::uuid[]))`,
};
