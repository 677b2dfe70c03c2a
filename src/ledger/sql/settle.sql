-- planner: by keys
-- Writes what became of rows: [{tenant_id, id, leased_until, state, due_at, error, note}], and of their notes the `noted`
-- columns of the ledger's table. A row without a state is dropped; one whose lease was lost is left as it is.
create function tessera_settle(ledger regclass, settled json, noted text[]) returns void
language plpgsql as $$ begin
  execute format($query$
    with s as materialized (
      select * from json_to_recordset($1) as s (tenant_id uuid, id uuid, leased_until timestamptz,
        state text, due_at timestamptz, error text, note json)
    ), dropped as (
      delete from %1$s w using s where w.tenant_id = s.tenant_id and w.id = s.id
        and s.state is null and w.state = 'pending' and w.due_at = s.leased_until
    )
    update %1$s w set state = s.state, due_at = s.due_at, attempts = w.attempts + 1, last_error = s.error %2$s
    from s where w.tenant_id = s.tenant_id and w.id = s.id
      and s.state is not null and w.state = 'pending' and w.due_at = s.leased_until$query$,
    ledger,
    (select string_agg(format(', %1$I = (json_populate_record(null::%2$s, s.note)).%1$I', name, ledger), '')
      from unnest(noted) as name))
  using settled;
end $$;
