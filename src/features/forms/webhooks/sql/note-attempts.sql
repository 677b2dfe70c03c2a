-- planner: by keys
-- Stores the last attempt of each webhook. It locks webhooks in the order of their keys, so that concurrent workers
-- cannot deadlock. Earlier attempts change nothing.
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
