-- planner: by keys, plans kept
-- Inserts attempts of deliveries [{tenant_id, id, started_at, duration_ms, status_code, error, blocked_by,
-- response_headers, response_body}] whose rows exist in `work_queue`. An attempt that is recorded again changes
-- nothing. `tenant`: see tessera_tenant_sql.
create function tessera_record_delivery_attempts(tenant uuid, work_queue regclass, attempts json) returns void
language plpgsql as $$ declare statement text; begin
  statement := format($query$
    insert into delivery_attempts (
      tenant_id, delivery_id, started_at, duration_ms, status_code, error, blocked_by, response_headers, response_body)
    select %1$s, s.id, s.started_at, s.duration_ms, s.status_code, s.error, s.blocked_by, s.response_headers, s.response_body
    from json_to_recordset($1) as s (tenant_id uuid, id uuid, started_at timestamptz, duration_ms int, status_code int,
      error text, blocked_by text, response_headers json, response_body text) %2$s
    cross join lateral (select from %3$s l where l.tenant_id = %4$s and l.id = s.id limit 1) present
    on conflict do nothing$query$,
    case when tenant is null then 's.tenant_id' else 'tenant_row.tenant_id' end, tessera_tenant_row_sql(tenant),
    work_queue, tessera_tenant_sql(tenant, 's.tenant_id'));
  if tenant is null then
    execute tessera_kept_plan(statement, 'json', quote_literal(attempts), array[work_queue]);
  else
    execute statement using attempts;
  end if;
end $$;
