-- planner: by keys
-- Writes what became of runs: [{tenant_id, id, leased_until, state, due_at, attempts, faults, error, actions, started_at,
-- finished_at, is_skipped, most_input, keeps_results}]; actions that are null stay as they are noted. A run whose lease was lost is left
-- as it is. An input of more than `most_input` bytes is cut to null, and without `keeps_results` so is the result of each action. Returns
-- the ended runs with the bytes that the row has gained or lost. Apart from tessera_settle, which reads each row as a whole: what set a
-- run off may be megabytes. `tenant`: see tessera_tenant_sql.
create function tessera_settle_runs(tenant uuid, settled json)
returns table (tenant_id uuid, id uuid, bytes bigint)
language plpgsql as $$ begin
  return query execute format($query$
    update automation_runs w set state = s.state, due_at = s.due_at, attempts = s.attempts, faults = s.faults,
      last_error = s.error, is_skipped = s.is_skipped,
      actions = case when s.keeps_results then coalesce(s.actions, w.actions)
        else coalesce((
          select json_agg(json_build_object('key', e -> 'key', 'status', e -> 'status', 'error', e -> 'error', 'result', null) order by nth)
          from json_array_elements(coalesce(s.actions, w.actions)) with ordinality as a (e, nth)), '[]') end,
      trigger = case when w.input_bytes > s.most_input then 'null' else w.trigger end,
      is_input_kept = w.is_input_kept and (s.most_input is null or w.input_bytes <= s.most_input),
      started_at = coalesce(w.started_at, s.started_at), finished_at = s.finished_at
    from json_to_recordset($1) as s (tenant_id uuid, id uuid, leased_until timestamptz, state text, due_at timestamptz,
      attempts int, faults int, error text, actions json, started_at timestamptz, finished_at timestamptz, is_skipped boolean,
      most_input int, keeps_results boolean)
    where w.tenant_id = %1$s and w.id = s.id and w.due_at = s.leased_until
    returning w.tenant_id, w.id, case when w.state = 'pending' then 0
      else octet_length(w.actions::text) - case when w.is_input_kept then 0 else w.input_bytes end end::bigint$query$,
    tessera_tenant_sql(tenant, 's.tenant_id'))
  using settled;
end $$;
