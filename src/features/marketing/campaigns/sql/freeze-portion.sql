-- planner: by keys, joins in memory
-- Writes a sending's messages to the next `size` subscribers, by id after `seen`, who were in its groups when it began
-- (`begun_at`). They must be active and must not have unsubscribed from the subscription type (see has-left.ts; null:
-- none). Each address gets one message, however many groups and units contain it. Positions continue from
-- `written_before`. Returns the last subscriber read (null: none), the number read, and the number of messages written.
--
-- Recipients are share-locked until the transaction ends, so that none is erased unseen. Only messages newer than the
-- sending are compared, because an address has many older ones. Tables are read by keys behind a `limit`: a plan made
-- while there were few messages would compare each subscriber with each message.
create function tessera_freeze_portion(
  tenant uuid, sending uuid, begun_at timestamptz, groups uuid[], subscription_type text, seen uuid, written_before int,
  lane int, moment timestamptz, size int
) returns table (last uuid, looked_at int, written int) language plpgsql as $$
declare
  picked uuid[];
  held uuid[];
  has_left text := case when subscription_type is null then 'false' else format('exists (
    select from subscription_preferences p
    where p.tenant_id = %L and p.subscriber_id = s.id and p.subscription_type_id = %L and not p.subscribed)',
    tenant, subscription_type) end;
begin
  execute format($query$
    select array_agg(id order by id) from (
      select distinct each.subscriber_id as id from unnest($1) as wanted (group_id)
      cross join lateral (
        select m.subscriber_id from subscriber_group_members m
        where m.tenant_id = %1$L and m.group_id = wanted.group_id and m.subscriber_id > $2
          and m.joined_at <= $4
        order by m.subscriber_id limit $3) each
      order by id limit $3) picked$query$, tenant)
  into picked using groups, coalesce(seen, '00000000-0000-0000-0000-000000000000'), size, begun_at;
  execute format($query$
    select array_agg(addressed.id) from unnest($1) as picked (id) cross join lateral (
      select s.id from subscribers s
      where s.tenant_id = %1$L and s.id = picked.id and s.active and s.created_at <= $2 and not %2$s
      limit 1 for key share of s) addressed$query$, tenant, has_left)
  into held using picked, begun_at;
  execute format($query$
    with people as materialized (
      select distinct on (s.address_key) s.id, s.email, s.address_key,
        nullif(trim(concat_ws(' ', s.first_name, s.last_name)), '') as name
      from unnest($1) as held (id) cross join lateral (
        select * from subscribers s where s.tenant_id = %1$L and s.id = held.id limit 1) s
      order by s.address_key, s.created_at
    ), fresh as materialized (
      select * from people where (
        select true from (
          select known.transmission_id from email_messages known
          where known.tenant_id = %1$L and known.recipient = people.address_key and known.created_at >= $2 offset 0) lately
        where lately.transmission_id = $3 limit 1) is null
    ), written as (
      insert into email_messages (tenant_id, id, target_id, lane, state, due_at, attempts, transmission_id, position,
        created_at, subscriber_id, recipient, address, name, status)
      select home.tenant_id, tessera_uuidv7($4), md5($3::text || split_part(fresh.address_key, '@', 2))::uuid, $5, 'pending',
        $4, 0, $3, $6 - 1 + row_number() over (order by fresh.id), $4, fresh.id, fresh.address_key, fresh.email, fresh.name,
        'queued'
      from fresh %2$s
      returning 1
    )
    select count(*)::int from written$query$, tenant, tessera_home_sql(tenant))
  into written using held, begun_at, sending, greatest(moment, begun_at), lane, written_before;
  last := picked[array_upper(picked, 1)];
  looked_at := coalesce(array_length(picked, 1), 0);
  return next;
end $$;
