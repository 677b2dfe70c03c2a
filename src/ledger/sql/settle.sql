-- planner: by keys
-- Writes what became of rows: [{tenant_id, id, leased_until, state, due_at, attempts, faults, error, note}], and the
-- `noted` columns of those whose note names them. A row without a state is dropped; one whose lease was lost is left as it is.
-- `tenant`: see tessera_tenant_sql.
-- Leases are looked up first: a condition on the state in the change itself would have the whole index of due rows read for it.
create function tessera_settle(tenant uuid, ledger regclass, settled json, noted text[]) returns void
language plpgsql as $$ begin
  execute format($query$
    with held as materialized (
      select s.* from json_to_recordset($1) as s (tenant_id uuid, id uuid, leased_until timestamptz,
        state text, due_at timestamptz, attempts int, faults int, error text, note json)
      cross join lateral (
        select l.state, l.due_at from %1$s l where l.tenant_id = %3$s and l.id = s.id limit 1) l
      where l.state = 'pending' and l.due_at = s.leased_until
    ), dropped as (
      delete from %1$s w using held where w.tenant_id = %4$s and w.id = held.id
        and held.state is null and w.due_at = held.leased_until
    )
    update %1$s w set state = held.state, due_at = held.due_at, attempts = held.attempts, faults = held.faults,
      last_error = held.error %2$s
    from held where w.tenant_id = %4$s and w.id = held.id
      and held.state is not null and w.due_at = held.leased_until$query$,
    ledger, (select string_agg(format(', %1$I = (json_populate_record(w, held.note)).%1$I', name), '')
      from unnest(noted) as name),
    tessera_tenant_sql(tenant, 's.tenant_id'), tessera_tenant_sql(tenant, 'held.tenant_id'))
  using settled;
end $$;
