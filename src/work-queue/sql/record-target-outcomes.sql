-- planner: by keys
-- Records the last success and the last failure of targets in the rows of a table, in key order to avoid deadlocks.
create function tessera_record_target_outcomes(targets regclass, tenants uuid[], ids uuid[], moments timestamptz[], statuses text[])
returns void language plpgsql as $$
declare latest record;
begin
  for latest in
    select n.tenant_id, n.id, max(n.moment) filter (where n.status = 'success') as success,
      max(n.moment) filter (where n.status = 'failed') as failure
    from unnest(tenants, ids, moments, statuses) as n (tenant_id, id, moment, status)
    group by n.tenant_id, n.id order by n.tenant_id, n.id
  loop
    execute format('update %s w set last_successful = greatest(w.last_successful, $1),
      last_failure = greatest(w.last_failure, $2) where w.tenant_id = $3 and w.id = $4', targets)
    using latest.success, latest.failure, latest.tenant_id, latest.id;
  end loop;
end $$;
