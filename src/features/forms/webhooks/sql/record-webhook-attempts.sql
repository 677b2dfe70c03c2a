-- planner: by keys
-- Records the last attempt of each webhook. It locks webhooks in the order of their keys, so that concurrent workers
-- cannot deadlock. An attempt older than the stored one changes nothing.
create function tessera_record_webhook_attempts(tenants uuid[], ids uuid[], moments timestamptz[], statuses text[])
returns void language plpgsql as $$
declare latest record;
begin
  for latest in
    select distinct on (n.tenant_id, n.id) n.* from unnest(tenants, ids, moments, statuses) as
      n (tenant_id, id, moment, status)
    order by n.tenant_id, n.id, n.moment desc
  loop
    update webhooks w set last_attempt_at = latest.moment, last_attempt_status = latest.status
    where w.tenant_id = latest.tenant_id and w.id = latest.id
      and (w.last_attempt_at is null or w.last_attempt_at <= latest.moment);
  end loop;
end $$;
