-- planner: by keys
-- What the attempts of webhook deliveries need; those of inactive or deleted webhooks, and of submissions that are gone, are
-- left out. A submission of more than `most_octets` is told by its size alone. Its key becomes text before it meets the
-- history: with the cast inside the condition, tenant isolation would keep the index from being used. `tenant`: see tessera_tenant_sql.
create function tessera_load_deliveries(tenant uuid, tenants uuid[], ids uuid[], most_octets int)
returns table (
  delivery_id uuid, webhook_id uuid, url text, headers json, signing_secret text, record text, record_bytes int, cause json
)
language plpgsql stable as $$ begin
  return query execute format($query$
    with wanted as materialized (
      select d.tenant_id, d.id, d.target_id, d.submission_id::text as submission_key, d.cause
      from unnest($1, $2) as claimed (tenant_id, id)
      cross join lateral (
        select d.tenant_id, d.id, d.target_id, d.submission_id, d.cause from webhook_deliveries d
        where d.tenant_id = %1$s and d.id = claimed.id limit 1) d
    )
    select wanted.id, w.id, w.url, w.headers, w.signing_secret,
      case when octet_length(latest.data::text) <= $3 then latest.data::text end, octet_length(latest.data::text), wanted.cause
    from wanted
    cross join lateral (
      select w.id, w.url, w.headers, w.signing_secret, w.active from webhooks w
      where w.tenant_id = %2$s and w.id = wanted.target_id limit 1) w
    cross join lateral (
      select h.data, h.deleted from record_history h
      where h.tenant_id = %2$s and h.entity_type = 'form_submission'
        and h.sort_key = wanted.submission_key
      order by h.version desc, h.deleted desc limit 1) latest
    where w.active and not latest.deleted$query$, tessera_tenant_sql(tenant, 'claimed.tenant_id'), tessera_tenant_sql(tenant, 'wanted.tenant_id'))
  using tenants, ids, most_octets;
end $$;
