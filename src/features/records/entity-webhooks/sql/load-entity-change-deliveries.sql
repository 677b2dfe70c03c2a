-- planner: by keys
-- Returns the data for delivery attempts; a delivery whose webhook was deleted is left out. For a record larger than
-- `max_bytes` it returns only the size. `tenant`: see tessera_tenant_sql.
create function tessera_load_entity_change_deliveries(tenant uuid, tenants uuid[], ids uuid[], max_bytes int)
returns table (
  delivery_id uuid, webhook_id uuid, url text, secret text, entity text, kind text, occurred_at timestamptz, record text,
  record_bytes int, cause json
)
language plpgsql stable as $$ begin
  return query execute format($query$
    select d.id, w.id, w.url, w.secret, c.entity, c.kind, c.occurred_at,
      case when octet_length(c.data::text) <= $3 then c.data::text end, octet_length(c.data::text), c.cause
    from unnest($1, $2) as claimed (tenant_id, id)
    cross join lateral (
      select d.* from entity_change_deliveries d where d.tenant_id = %1$s and d.id = claimed.id limit 1) d
    cross join lateral (
      select w.* from entity_webhooks w where w.tenant_id = %2$s and w.id = d.target_id limit 1) w
    cross join lateral (
      select c.* from entity_changes c where c.tenant_id = %2$s and c.id = d.change_id limit 1) c$query$,
    tessera_tenant_sql(tenant, 'claimed.tenant_id'), tessera_tenant_sql(tenant, 'd.tenant_id'))
  using tenants, ids, max_bytes;
end $$;
