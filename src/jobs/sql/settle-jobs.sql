-- planner: by keys
-- Writes what became of jobs: [{tenant_id, id, leased_until, state, due_at, planned_at, attempts, error}]. A job without a
-- state was done and goes; one whose lease was lost is left as it is. Leases are looked up first, as in tessera_settle.
create function tessera_settle_jobs(settled json) returns void language plpgsql as $$ begin
  execute $query$
    with held as materialized (
      select s.* from json_to_recordset($1) as s (tenant_id uuid, id uuid, leased_until timestamptz,
        state text, due_at timestamptz, planned_at timestamptz, attempts int, error text)
      cross join lateral (
        select j.state, j.due_at from jobs j where j.tenant_id = s.tenant_id and j.id = s.id limit 1) j
      where j.state = 'pending' and j.due_at = s.leased_until
    ), dropped as (
      delete from jobs j using held where j.tenant_id = held.tenant_id and j.id = held.id
        and held.state is null and j.due_at = held.leased_until
    )
    update jobs j set state = held.state, due_at = held.due_at, attempts = held.attempts, last_error = held.error,
      planned_at = coalesce(held.planned_at, j.planned_at)
    from held where j.tenant_id = held.tenant_id and j.id = held.id
      and held.state is not null and j.due_at = held.leased_until$query$
  using settled;
end $$;
