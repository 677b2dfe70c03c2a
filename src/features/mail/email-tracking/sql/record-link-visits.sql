-- planner: by keys, joins in memory
-- Records the links of visits [{tenant_id, transmission_id, message_id, url, clicks, first_at, last_at}] of locked
-- messages; visits without a URL are opens. Returns the changes to be counted (tessera_count_links). `tenant`: see
-- tessera_tenant_sql.
create function tessera_record_link_visits(tenant uuid, visits jsonb) returns jsonb language plpgsql as $$
declare
  links jsonb;
begin
  if visits = '[]' then return '[]'; end if;
  execute format($query$
    with given as materialized (
      select g.*, md5(g.url)::uuid as link from jsonb_to_recordset($1) as g (tenant_id uuid, transmission_id uuid,
        message_id uuid, url text, clicks int, first_at timestamptz, last_at timestamptz)
      where g.url is not null
    ), recorded as (
      insert into email_link_visits as seen (tenant_id, message_id, link, transmission_id, clicks, first_clicked_at,
        last_clicked_at)
      select %1$s, c.message_id, c.link, c.transmission_id, c.clicks, c.first_at, c.last_at from given c %2$s
      on conflict (tenant_id, message_id, link) do update set clicks = seen.clicks + excluded.clicks,
        first_clicked_at = least(seen.first_clicked_at, excluded.first_clicked_at),
        last_clicked_at = greatest(seen.last_clicked_at, excluded.last_clicked_at)
      returning tenant_id, message_id, link, clicks
    )
    select coalesce(jsonb_agg(jsonb_build_object('tenant_id', g.tenant_id, 'transmission_id', g.transmission_id, 'url', g.url,
      'clicks', g.clicks, 'unique_clicks', (n.clicks = g.clicks)::int)), '[]')
    from given g join recorded n on n.tenant_id = g.tenant_id and n.message_id = g.message_id and n.link = g.link$query$,
    case when tenant is null then 'c.tenant_id' else 'tenant_row.tenant_id' end, tessera_tenant_row_sql(tenant))
  into links using visits;
  return links;
end $$;
