-- planner: by keys
-- Notes the last success and the last failure of some event webhooks, in the order of their keys.
create function tessera_note_event_attempts(tenants uuid[], ids uuid[], moments timestamptz[], statuses text[])
returns void language plpgsql as $$
declare noted record;
begin
  for noted in
    select n.tenant_id, n.id, max(n.moment) filter (where n.status = 'success') as success,
      max(n.moment) filter (where n.status = 'failed') as failure
    from unnest(tenants, ids, moments, statuses) as n (tenant_id, id, moment, status)
    group by n.tenant_id, n.id order by n.tenant_id, n.id
  loop
    update email_event_webhooks w set last_successful = greatest(w.last_successful, noted.success),
      last_failure = greatest(w.last_failure, noted.failure)
    where w.tenant_id = noted.tenant_id and w.id = noted.id;
  end loop;
end $$;
