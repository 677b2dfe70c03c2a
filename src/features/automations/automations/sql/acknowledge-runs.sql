-- planner: by keys
-- Stores the outcomes of runs: [{tenant_id, id, claim_id, state, due_at, attempts, faults, error, actions, failure,
-- started_at, finished_at, is_skipped, input, keeps_results}]. Null `actions` and `failure` keep the stored values. A
-- run that another worker has claimed is not changed. A run that ends with a `failure` keeps the error of the failure.
--
-- `input` is the part of the trigger that the run keeps: 'whole', 'small' (more than `small_input` bytes become null)
-- or 'none' (null). Without `keeps_results`, the result of each action becomes null.
--
-- Returns the change of each run's stored bytes. tessera_acknowledge is not used: it reads whole rows, and a trigger
-- may have megabytes. `tenant`: see tessera_tenant_sql.
create function tessera_acknowledge_runs(tenant uuid, acks json, small_input int)
returns table (tenant_id uuid, id uuid, bytes bigint)
language plpgsql as $$ begin
  return query execute format($query$
    update automation_runs w set state = s.state, due_at = s.due_at, claim_id = null, attempts = s.attempts, faults = s.faults,
      last_error = case when s.state = 'failed' and w.failure is not null then w.failure ->> 'error' else s.error end,
      failure = coalesce(s.failure, w.failure), is_skipped = s.is_skipped,
      actions = case when s.keeps_results then coalesce(s.actions, w.actions)
        else coalesce((
          select json_agg((e::jsonb || '{"result": null}')::json order by nth)
          from json_array_elements(coalesce(s.actions, w.actions)) with ordinality as a (e, nth)), '[]') end,
      trigger = case when s.input = 'none' or s.input = 'small' and w.input_bytes > $2 then 'null' else w.trigger end,
      is_input_kept = w.is_input_kept and (s.input = 'whole' or s.input = 'small' and w.input_bytes <= $2),
      started_at = coalesce(w.started_at, s.started_at), finished_at = s.finished_at
    from json_to_recordset($1) as s (tenant_id uuid, id uuid, claim_id uuid, state text, due_at timestamptz,
      attempts int, faults int, error text, actions json, failure json, started_at timestamptz, finished_at timestamptz,
      is_skipped boolean, input text, keeps_results boolean)
    where w.tenant_id = %1$s and w.id = s.id and w.claim_id = s.claim_id
    returning w.tenant_id, w.id, case when w.state = 'pending' then 0
      else octet_length(w.actions::text) - case when w.is_input_kept then 0 else w.input_bytes end end::bigint$query$,
    tessera_tenant_sql(tenant, 's.tenant_id'))
  using acks, small_input;
end $$;
