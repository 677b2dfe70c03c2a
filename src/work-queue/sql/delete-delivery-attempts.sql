-- planner: by keys
-- Deletes the attempts of deliveries. `tenant`: see tessera_tenant_sql.
create function tessera_delete_delivery_attempts(tenant uuid, tenants uuid[], ids uuid[]) returns void
language plpgsql as $$ begin
  execute format($query$
    delete from delivery_attempts a using unnest($1, $2) as d (tenant_id, id)
    where a.tenant_id = %1$s and a.delivery_id = d.id$query$, tessera_tenant_sql(tenant, 'd.tenant_id'))
  using tenants, ids;
end $$;
