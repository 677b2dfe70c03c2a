-- planner: by keys, joins in memory
-- Writes messages of a sending to the next `size` members of its groups, by subscriber id, after `after_id`. Recipients
-- joined a group before the sending started, are active, and have not unsubscribed from the subscription type (as in
-- unsubscribed-condition.ts; null: no type). Each address gets one message, even if several groups and units contain
-- it. Positions continue from `written_before`. Returns the last subscriber read (null: none), the number read, and the
-- number of messages written.
--
-- Recipients are share-locked until the transaction ends, so that none is erased in between. Only messages newer than
-- the sending are compared, because an address has many older ones. Tables are read by keys with a `limit`: a plan made
-- while there were few messages would compare each subscriber with each message.
create function tessera_snapshot_batch(
  tenant uuid, sending uuid, started_at timestamptz, groups uuid[], subscription_type text, after_id uuid,
  written_before int, lane int, moment timestamptz, size int
) returns table (last uuid, scanned int, written int) language plpgsql as $$
declare
  candidates uuid[];
  recipients uuid[];
  is_unsubscribed text := case when subscription_type is null then 'false' else format('exists (
    select from subscription_preferences p
    where p.tenant_id = %L and p.subscriber_id = s.id and p.subscription_type_id = %L and not p.subscribed)',
    tenant, subscription_type) end;
begin
  execute format($query$
    select array_agg(id order by id) from (
      select distinct each.subscriber_id as id from unnest($1) as g (group_id)
      cross join lateral (
        select m.subscriber_id from subscriber_group_members m
        where m.tenant_id = %1$L and m.group_id = g.group_id and m.subscriber_id > $2
          and m.joined_at <= $4
        order by m.subscriber_id limit $3) each
      order by id limit $3) candidates$query$, tenant)
  into candidates using groups, coalesce(after_id, '00000000-0000-0000-0000-000000000000'), size, started_at;
  execute format($query$
    select array_agg(locked.id) from unnest($1) as candidates (id) cross join lateral (
      select s.id from subscribers s
      where s.tenant_id = %1$L and s.id = candidates.id and s.active and s.created_at <= $2 and not %2$s
      limit 1 for key share of s) locked$query$, tenant, is_unsubscribed)
  into recipients using candidates, started_at;
  execute format($query$
    with addresses as materialized (
      select distinct on (s.address_key) s.id, s.email, s.address_key,
        nullif(trim(concat_ws(' ', s.first_name, s.last_name)), '') as name
      from unnest($1) as recipients (id) cross join lateral (
        select * from subscribers s where s.tenant_id = %1$L and s.id = recipients.id limit 1) s
      order by s.address_key, s.created_at
    ), fresh as materialized (
      select * from addresses where (
        select true from (
          select known.transmission_id from email_messages known
          where known.tenant_id = %1$L and known.recipient = addresses.address_key and known.created_at >= $2 offset 0) recent
        where recent.transmission_id = $3 limit 1) is null
    ), written as (
      insert into email_messages (tenant_id, id, target_id, lane, state, due_at, attempts, transmission_id, position,
        created_at, subscriber_id, recipient, address, name, status)
      select tenant_row.tenant_id, tessera_uuidv7($4), md5($3::text || split_part(fresh.address_key, '@', 2))::uuid, $5, 'pending',
        $4, 0, $3, $6 - 1 + row_number() over (order by fresh.id), $4, fresh.id, fresh.address_key, fresh.email, fresh.name,
        'queued'
      from fresh %2$s
      returning 1
    )
    select count(*)::int from written$query$, tenant, tessera_tenant_row_sql(tenant))
  into written using recipients, started_at, sending, greatest(moment, started_at), lane, written_before;
  last := candidates[array_upper(candidates, 1)];
  scanned := coalesce(array_length(candidates, 1), 0);
  return next;
end $$;
