-- planner: by keys
-- Records what became of attempts in the rows of their webhooks, in key order to avoid deadlocks:
-- [{tenant_id, id, success, failure, failing_since, attempts, deliveries}] are the last success, the last failure, and
-- the failures after the last success: the first, their number, and how many ended their delivery.
create function tessera_record_target_outcomes(targets regclass, outcomes json)
returns void language plpgsql as $$
declare latest record;
begin
  for latest in
    select n.* from json_to_recordset(outcomes) as n (tenant_id uuid, id uuid, success timestamptz, failure timestamptz,
      failing_since timestamptz, attempts int, deliveries int)
    order by n.tenant_id, n.id
  loop
    -- A failure that is older than the stored success changes nothing.
    execute format('update %s w set last_successful = greatest(w.last_successful, $1),
      last_failure = greatest(w.last_failure, $2),
      failing_since = case when $1 is not null then $3 when w.last_successful >= $2 then w.failing_since
        else coalesce(w.failing_since, $3) end,
      failed_attempts = case when $1 is not null then $4 when w.last_successful >= $2 then w.failed_attempts
        else w.failed_attempts + $4 end,
      failed_deliveries = case when $1 is not null then $5 when w.last_successful >= $2 then w.failed_deliveries
        else w.failed_deliveries + $5 end
      where w.tenant_id = $6 and w.id = $7', targets)
    using latest.success, latest.failure, latest.failing_since, latest.attempts, latest.deliveries,
      latest.tenant_id, latest.id;
  end loop;
end $$;
