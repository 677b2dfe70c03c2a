-- planner: by keys
-- Returns a page of the messages to subscribers from these sendings of a tenant, newest or oldest first: clicked ones,
-- unclicked ones, or both. The page starts after `after_id` if it is not null. Each sending is read in index order up
-- to the limit, and the results are merged. Messages to erased subscribers are left out.
create function tessera_list_recipient_messages(tenant uuid, sendings uuid[], with_clicks boolean, without_clicks boolean,
  is_descending boolean, after_time timestamptz, after_id uuid, skipped bigint, wanted int)
returns table (id uuid, created_at timestamptz) language plpgsql stable as $$
declare
  direction text := case when is_descending then 'desc' else 'asc' end;
  following text := case when after_id is null then ''
    else format('and (m.created_at, m.id) %s ($6, $7)', case when is_descending then '<' else '>' end) end;
begin
  return query execute format($query$
    select m.id, m.created_at from (
      select k.id from unnest($1) as k (id)) k
    cross join lateral (
      (select m.id, m.created_at from email_messages m
        where m.tenant_id = %1$L and m.transmission_id = k.id and m.subscriber_id is not null and m.recipient <> '' and m.clicked_at is not null and $2 %3$s
        order by m.created_at %2$s, m.id %2$s limit $4 + $5)
      union all
      (select m.id, m.created_at from email_messages m
        where m.tenant_id = %1$L and m.transmission_id = k.id and m.subscriber_id is not null and m.recipient <> '' and m.clicked_at is null and $3 %3$s
        order by m.created_at %2$s, m.id %2$s limit $4 + $5)) m
    order by m.created_at %2$s, m.id %2$s limit $5 offset $4$query$, tenant, direction, following)
  using sendings, with_clicks, without_clicks, skipped, wanted, after_time, after_id;
end $$;
