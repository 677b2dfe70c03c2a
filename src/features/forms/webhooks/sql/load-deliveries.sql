-- planner: by keys
-- Returns the data that attempts of webhook deliveries need. It skips a delivery if the webhook is inactive or deleted,
-- or if the submission is deleted. For a submission larger than `max_bytes` it returns only the size. The submission's
-- id is cast to text before the join with the history: with a cast in the condition, row-level security prevents the
-- use of the index.
-- `tenant`: see tessera_tenant_sql.
create function tessera_load_deliveries(tenant uuid, tenants uuid[], ids uuid[], max_bytes int)
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
  using tenants, ids, max_bytes;
end $$;
