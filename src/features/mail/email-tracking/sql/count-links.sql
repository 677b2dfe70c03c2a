-- planner: by keys, joins in memory
-- Adds changes of clicks to the counts of links [{tenant_id, transmission_id, url, clicks, unique_clicks}]; deletes a
-- link without clicks. Call it once per transaction, when all of its messages are locked: rows are locked in key order
-- to avoid deadlocks. `tenant`: see tessera_tenant_sql.
create function tessera_count_links(tenant uuid, changes jsonb) returns void language plpgsql as $$
begin
  if changes = '[]' then return; end if;
  execute format($query$
    insert into email_sending_links as present (tenant_id, transmission_id, link, url, clicks, unique_clicks)
    select %1$s, c.transmission_id, md5(c.url)::uuid, c.url, c.clicks, c.unique_clicks
    from (
      select g.tenant_id, g.transmission_id, g.url, sum(g.clicks) as clicks, sum(g.unique_clicks) as unique_clicks
      from jsonb_to_recordset($1) as g (tenant_id uuid, transmission_id uuid, url text, clicks int, unique_clicks int)
      group by g.tenant_id, g.transmission_id, g.url) c %2$s
    order by c.tenant_id, c.transmission_id, md5(c.url)
    on conflict (tenant_id, transmission_id, link) do update
      set clicks = present.clicks + excluded.clicks, unique_clicks = present.unique_clicks + excluded.unique_clicks$query$,
    case when tenant is null then 'c.tenant_id' else 'tenant_row.tenant_id' end, tessera_tenant_row_sql(tenant)) using changes;
  execute format($query$
    delete from email_sending_links l
    using (
      select distinct g.tenant_id, g.transmission_id, md5(g.url)::uuid as link
      from jsonb_to_recordset($1) as g (tenant_id uuid, transmission_id uuid, url text, clicks int)
      where g.clicks < 0) c
    where l.tenant_id = %1$s and l.transmission_id = c.transmission_id and l.link = c.link and l.clicks <= 0$query$,
    tessera_tenant_sql(tenant, 'c.tenant_id')) using changes;
end $$;
