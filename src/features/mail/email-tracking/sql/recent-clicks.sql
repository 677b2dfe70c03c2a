-- planner: by keys
-- Returns the clicks of people, not machines, on these messages after `since`: at most 1000 per message. `tenant`: see
-- tessera_tenant_sql.
create function tessera_recent_clicks(tenant uuid, tenants uuid[], messages uuid[], since timestamptz)
returns table (tenant_id uuid, id uuid, message_id uuid, url text, occurred_at timestamptz)
language plpgsql stable as $$ begin
  return query execute format($query$
    select e.tenant_id, e.id, e.message_id, e.url, e.occurred_at
    from unnest($1, $2) as m (tenant_id, id)
    cross join lateral (
      select e.tenant_id, e.id, e.message_id, e.url, e.occurred_at from email_message_events e
      where e.tenant_id = %1$s and e.message_id = m.id and e.occurred_at > $3
        and e.type = 'click' and e.machine_reason is null
      order by e.occurred_at limit 1000) e$query$, tessera_tenant_sql(tenant, 'm.tenant_id'))
  using tenants, messages, since;
end $$;
