-- planner: by keys
-- Returns the newest messages to subscribers from these sendings of a tenant: clicked ones, unclicked ones, or both.
-- Each sending is read in index order up to the limit, and the newest of all are returned. Erased subscribers are left
-- out.
create function tessera_list_addressed(tenant uuid, sendings uuid[], with_clicks boolean, without_clicks boolean, skipped bigint,
  wanted int)
returns table (id uuid, created_at timestamptz) language plpgsql stable as $$ begin
  return query execute format($query$
    select m.id, m.created_at from (
      select k.id from unnest($1) as k (id)) k
    cross join lateral (
      (select m.id, m.created_at from email_messages m
        where m.tenant_id = %1$L and m.transmission_id = k.id and m.subscriber_id is not null and m.recipient <> '' and m.clicked_at is not null and $2
        order by m.created_at desc, m.id desc limit $4 + $5)
      union all
      (select m.id, m.created_at from email_messages m
        where m.tenant_id = %1$L and m.transmission_id = k.id and m.subscriber_id is not null and m.recipient <> '' and m.clicked_at is null and $3
        order by m.created_at desc, m.id desc limit $4 + $5)) m
    order by m.created_at desc, m.id desc limit $5 offset $4$query$, tenant)
  using sendings, with_clicks, without_clicks, skipped, wanted;
end $$;
