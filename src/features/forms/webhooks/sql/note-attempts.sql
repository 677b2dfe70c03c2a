-- planner: by keys
-- Notes the last attempt to each of some webhooks, one after the other in the order of their keys, so that workers that
-- settle at the same time cannot block each other for good. An earlier moment changes nothing.
create function tessera_note_attempts(tenants uuid[], ids uuid[], moments timestamptz[], statuses text[])
returns void language plpgsql as $$
declare noted record;
begin
  for noted in
    select distinct on (n.tenant_id, n.id) n.* from unnest(tenants, ids, moments, statuses) as
      n (tenant_id, id, moment, status)
    order by n.tenant_id, n.id, n.moment desc
  loop
    update webhooks w set last_attempt_at = noted.moment, last_attempt_status = noted.status
    where w.tenant_id = noted.tenant_id and w.id = noted.id
      and (w.last_attempt_at is null or w.last_attempt_at <= noted.moment);
  end loop;
end $$;
