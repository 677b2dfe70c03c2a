-- planner: by keys
-- Writes what became of runs: [{tenant_id, id, leased_until, state, due_at, attempts, faults, error, actions, started_at,
-- finished_at, is_skipped}]; actions that are null stay as they are noted. A run whose lease was lost is left as it is. Apart from
-- tessera_settle, which reads each row as a whole: what set a run off may be megabytes. `tenant`: see tessera_tenant_sql.
create function tessera_settle_runs(tenant uuid, settled json) returns void
language plpgsql as $$ begin
  execute format($query$
    update automation_runs w set state = s.state, due_at = s.due_at, attempts = s.attempts, faults = s.faults,
      last_error = s.error, actions = coalesce(s.actions, w.actions), is_skipped = s.is_skipped,
      started_at = coalesce(w.started_at, s.started_at), finished_at = s.finished_at
    from json_to_recordset($1) as s (tenant_id uuid, id uuid, leased_until timestamptz, state text, due_at timestamptz,
      attempts int, faults int, error text, actions json, started_at timestamptz, finished_at timestamptz, is_skipped boolean)
    where w.tenant_id = %1$s and w.id = s.id and w.due_at = s.leased_until$query$,
    tessera_tenant_sql(tenant, 's.tenant_id'))
  using settled;
end $$;
