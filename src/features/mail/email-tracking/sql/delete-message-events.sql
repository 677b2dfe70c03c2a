-- planner: by keys, joins in memory
-- Deletes the events of a tenant's messages and subtracts their opens and clicks from the statistics of their sendings.
create function tessera_delete_message_events(tenant uuid, messages uuid[]) returns void language plpgsql as $$
declare
  visits jsonb;
begin
  execute format($query$
    delete from email_link_visits v where v.tenant_id = %1$L and v.message_id = any($1)$query$, tenant) using messages;
  execute format($query$
    with deleted as (
      delete from email_message_events e where e.tenant_id = %1$L and e.message_id = any($1)
      returning e.message_id, e.type, e.url, e.machine_reason
    ), visits as (
      select g.message_id, g.url, count(*) filter (where g.type = 'open') as opens, count(*) filter (where g.type = 'click') as clicks
      from deleted g where g.type in ('open', 'click') and g.machine_reason is null group by g.message_id, g.url
    )
    select coalesce(jsonb_agg(jsonb_build_object('tenant_id', m.tenant_id, 'transmission_id', m.transmission_id, 'url', v.url,
      'opens', -v.opens, 'clicks', -v.clicks, 'unique_clicks', -1)), '[]')
    from visits v
    cross join lateral (
      select m.tenant_id, m.transmission_id from email_messages m
      where m.tenant_id = %1$L and m.id = v.message_id and m.subscriber_id is not null limit 1) m$query$, tenant)
  into visits using messages;
  perform tessera_count_messages(tenant, visits);
  perform tessera_count_links(tenant, (
    select coalesce(jsonb_agg(v), '[]') from jsonb_array_elements(visits) as v where v ->> 'url' is not null));
end $$;
