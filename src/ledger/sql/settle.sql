-- planner: by keys
-- Writes outcomes: `ended` [{tenant_id, id, leased_until, state, due_at, status_code, error}] and `dropped`
-- [{tenant_id, id, leased_until}]. A row whose lease was lost is left as it is.
create function tessera_settle(ledger regclass, ended json, dropped json) returns void
language plpgsql as $$ begin
  execute format($query$
    with held as materialized (
      select s.* from json_to_recordset($1) as s (tenant_id uuid, id uuid, leased_until timestamptz,
        state text, due_at timestamptz, status_code int, error text)
      cross join lateral (
        select l.state, l.due_at from %1$s l
        where l.tenant_id = s.tenant_id and l.id = s.id limit 1 for update) l
      where l.state = 'pending' and l.due_at = s.leased_until
    )
    update %1$s w set state = held.state, due_at = held.due_at, attempts = w.attempts + 1,
      last_status_code = held.status_code, last_error = held.error
    from held where w.tenant_id = held.tenant_id and w.id = held.id$query$, ledger) using ended;
  if json_array_length(dropped) > 0 then
    execute format($query$
      with held as materialized (
        select s.* from json_to_recordset($1) as s (tenant_id uuid, id uuid, leased_until timestamptz)
        cross join lateral (
          select l.state, l.due_at from %1$s l
          where l.tenant_id = s.tenant_id and l.id = s.id limit 1 for update) l
        where l.state = 'pending' and l.due_at = s.leased_until
      )
      delete from %1$s w using held where w.tenant_id = held.tenant_id and w.id = held.id$query$, ledger)
    using dropped;
  end if;
end $$;
