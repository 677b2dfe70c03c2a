-- planner: by keys
-- Records the last attempt of each webhook, and its failures since its last success. The argument is that of
-- tessera_record_target_outcomes. It locks webhooks in the order of their keys, so that concurrent workers cannot
-- deadlock. An attempt older than the stored one changes nothing.
create function tessera_record_webhook_attempts(outcomes json)
returns void language plpgsql as $$
declare latest record;
begin
  for latest in
    select n.*, greatest(n.success, n.failure) as moment,
      case when n.failing_since is null then 'success' else 'failed' end as status
    from json_to_recordset(outcomes) as n (tenant_id uuid, id uuid, success timestamptz, failure timestamptz,
      failing_since timestamptz, attempts int, deliveries int)
    order by n.tenant_id, n.id
  loop
    update webhooks w set last_attempt_at = latest.moment, last_attempt_status = latest.status,
      failing_since = case when latest.success is not null then latest.failing_since
        else coalesce(w.failing_since, latest.failing_since) end,
      failed_attempts = latest.attempts + case when latest.success is null then w.failed_attempts else 0 end,
      failed_deliveries = latest.deliveries + case when latest.success is null then w.failed_deliveries else 0 end
    where w.tenant_id = latest.tenant_id and w.id = latest.id
      and (w.last_attempt_at is null or w.last_attempt_at <= latest.moment);
  end loop;
end $$;
