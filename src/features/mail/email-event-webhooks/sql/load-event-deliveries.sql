-- planner: by keys
-- Returns the data of event deliveries; a delivery whose webhook is inactive or deleted is left out. Tags and metadata
-- of more than `max_bytes` in total are replaced by their size. `tenant`: see tessera_tenant_sql.
create function tessera_load_event_deliveries(tenant uuid, tenants uuid[], ids uuid[], max_bytes int)
returns table (
  delivery_id uuid, webhook_id uuid, target text, secret text, event_id uuid, type text, occurred_at timestamptz,
  url text, ip_address text, user_agent text, machine_reason text, bounce_class text, detail text,
  message_id uuid, address text, tags json, metadata json,
  transmission_id uuid, campaign_id text, marketing_email_id text, transmission_metadata json, data_bytes int, is_left_out boolean,
  cause json
)
language plpgsql stable as $$ begin
  return query execute format($query$
    select d.id, w.id, w.target, w.secret, e.id, e.type, e.occurred_at, e.url, e.ip_address, e.user_agent,
      e.machine_reason, e.bounce_class, e.detail, m.id, m.address,
      case when data.bytes <= $3 then m.tags end, case when data.bytes <= $3 then m.metadata end, t.id, t.campaign_id,
      t.options -> 'campaign' ->> 'emailId',
      case when data.bytes <= $3 then t.metadata end, data.bytes, data.bytes > $3, t.options -> 'cause'
    from unnest($1, $2) as claimed (tenant_id, id)
    cross join lateral (
      select d.* from email_event_deliveries d
      where d.tenant_id = %1$s and d.id = claimed.id limit 1) d
    cross join lateral (
      select w.* from email_event_webhooks w where w.tenant_id = %2$s and w.id = d.target_id limit 1) w
    cross join lateral (
      select e.* from email_message_events e where e.tenant_id = %2$s and e.id = d.event_id limit 1) e
    cross join lateral (
      select m.* from email_messages m where m.tenant_id = %3$s and m.id = e.message_id limit 1) m
    left join lateral (
      select t.* from transmissions t where t.tenant_id = %4$s and t.id = m.transmission_id limit 1) t on true
    cross join lateral (
      select coalesce(octet_length(m.tags::text), 0) + coalesce(octet_length(m.metadata::text), 0)
        + coalesce(octet_length(t.metadata::text), 0) as bytes limit 1) data
    where w.active$query$,
    tessera_tenant_sql(tenant, 'claimed.tenant_id'), tessera_tenant_sql(tenant, 'd.tenant_id'),
    tessera_tenant_sql(tenant, 'e.tenant_id'), tessera_tenant_sql(tenant, 'm.tenant_id'))
  using tenants, ids, max_bytes;
end $$;
