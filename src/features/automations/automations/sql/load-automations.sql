-- planner: by keys
-- Returns for each requested version whether its automation exists and is active, and with `wants_definition` the
-- definition if it is still stored. `tenant`: see tessera_tenant_sql.
create function tessera_load_automations(
  tenant uuid, tenants uuid[], ids uuid[], versions int[], wants_definition boolean[])
returns table (automation_id uuid, version int, is_active boolean, definition json)
language plpgsql stable as $$ begin
  return query execute format($query$
    select requested.id, requested.version, coalesce(a.active, false), v.definition
    from unnest($1, $2, $3, $4) as requested (tenant_id, id, version, wants_definition)
    left join lateral (
      select a.active from automations a where a.tenant_id = %1$s and a.id = requested.id limit 1) a on true
    left join lateral (
      select v.definition from automation_versions v
      where requested.wants_definition and v.tenant_id = %1$s and v.automation_id = requested.id
        and v.version = requested.version limit 1) v on true$query$,
    tessera_tenant_sql(tenant, 'requested.tenant_id'))
  using tenants, ids, versions, wants_definition;
end $$;
