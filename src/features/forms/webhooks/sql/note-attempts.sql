-- planner: by keys
-- Stores the last attempt of each webhook. It locks webhooks in the order of their keys, so that concurrent workers
-- cannot deadlock. An attempt older than the stored one changes nothing.
create function tessera_note_attempts(tenants uuid[], ids uuid[], moments timestamptz[], statuses text[])
returns void language plpgsql as $$
declare latest record;
begin
  for latest in
    select distinct on (a.tenant_id, a.id) a.* from unnest(tenants, ids, moments, statuses) as
      a (tenant_id, id, moment, status)
    order by a.tenant_id, a.id, a.moment desc
  loop
    update webhooks w set last_attempt_at = latest.moment, last_attempt_status = latest.status
    where w.tenant_id = latest.tenant_id and w.id = latest.id
      and (w.last_attempt_at is null or w.last_attempt_at <= latest.moment);
  end loop;
end $$;
