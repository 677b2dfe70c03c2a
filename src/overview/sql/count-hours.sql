-- planner: by keys, plans kept
-- Adds to counts per hour: [{tenant_id, name, subject_id, hour, slot, count}], each key once. `tenant`: see
-- tessera_tenant_sql. Rows are locked in the order of their keys, so that writers do not deadlock.
create function tessera_count_hours(tenant uuid, counts json) returns void
language plpgsql as $$ declare statement text; begin
  statement := format($query$
    insert into hourly_counts as present (tenant_id, name, subject_id, hour, slot, count)
    select %1$s, s.name, s.subject_id, s.hour, s.slot, s.count
    from json_to_recordset($1) as s (tenant_id uuid, name text, subject_id uuid, hour timestamptz, slot smallint, count bigint) %2$s
    order by s.tenant_id, s.name, s.subject_id, s.hour, s.slot
    on conflict (tenant_id, name, subject_id, hour, slot) do update set count = present.count + excluded.count$query$,
    case when tenant is null then 's.tenant_id' else 'tenant_row.tenant_id' end, tessera_tenant_row_sql(tenant));
  if tenant is null then
    execute tessera_kept_plan(statement, 'json', quote_literal(counts), array['hourly_counts'::regclass]);
  else
    execute statement using counts;
  end if;
end $$;
