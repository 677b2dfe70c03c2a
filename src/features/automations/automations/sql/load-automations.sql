-- planner: by keys
-- Returns the automations of runs: whether each exists and is active and, if `wanted`, the definition of a version, if it is still
-- stored. `tenant`: see tessera_tenant_sql.
create function tessera_load_automations(tenant uuid, tenants uuid[], ids uuid[], versions int[], wanted boolean[])
returns table (automation_id uuid, version int, is_active boolean, definition json)
language plpgsql stable as $$ begin
  return query execute format($query$
    select asked.id, asked.version, coalesce(a.active, false), v.definition
    from unnest($1, $2, $3, $4) as asked (tenant_id, id, version, wanted)
    left join lateral (
      select a.active from automations a where a.tenant_id = %1$s and a.id = asked.id limit 1) a on true
    left join lateral (
      select v.definition from automation_versions v
      where asked.wanted and v.tenant_id = %1$s and v.automation_id = asked.id and v.version = asked.version limit 1) v on true$query$,
    tessera_tenant_sql(tenant, 'asked.tenant_id'))
  using tenants, ids, versions, wanted;
end $$;
