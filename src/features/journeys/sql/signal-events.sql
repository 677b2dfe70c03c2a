-- planner: by keys
-- Writes signals for events that are watched: by a journey that they start, or by an enrollment that may wait for them.
-- Takes [{tenant_id, subscriber_id, kind, occurred_at, marketing_email_id, url, amount, seconds}], or opens and clicks
-- from tessera_record_message_events: [{tenant_id, subscriber_id, message_id, transmission_id, url, clicks, last_at}].
-- Every tenant with a journey watches activity, so tenants without journeys are skipped early. Ids are hashes of the
-- event: not every database can generate ids here (docs/decisions/0021). `tenant`: see tessera_tenant_sql.
create function tessera_signal_events(tenant uuid, events jsonb, moment timestamptz) returns void language plpgsql as $$
declare row_tenant constant text := case when tenant is null then 'e.tenant_id' else 'tenant_row.tenant_id' end;
begin
  if events is null or events = '[]' then return; end if;
  execute format($query$
    with input as materialized (
      select g.tenant_id, g.subscriber_id, g.message_id, g.transmission_id, g.url, g.amount, g.seconds, g.marketing_email_id,
        coalesce(g.kind, case when g.clicks > 0 then 'click' else 'open' end) as kind,
        coalesce(g.occurred_at, g.last_at) as occurred_at
      from jsonb_to_recordset($1) as g (tenant_id uuid, subscriber_id uuid, message_id uuid, transmission_id uuid, url text,
        clicks int, last_at timestamptz, kind text, occurred_at timestamptz, marketing_email_id uuid, amount numeric,
        seconds float8)
    ), watching as materialized (
      select t.tenant_id from (select distinct tenant_id from input) t
      where exists (select from subscriber_watches w where w.tenant_id = %1$s and w.kind = 'activity')
    ), events as materialized (
      select g.*, coalesce(g.marketing_email_id, m.id) as email_id from input g join watching h on h.tenant_id = g.tenant_id
      left join lateral (
        select m.id from marketing_emails m
        where m.tenant_id = %2$s and g.transmission_id is not null and m.job_id = g.transmission_id limit 1) m on true
    ), signalled as (
    insert into subscriber_signals (tenant_id, id, target_id, state, due_at, attempts, kind, subscriber_id, key, occurred_at, data)
    select %4$s, md5(concat_ws(' ', e.kind, e.subscriber_id, e.message_id, e.url, extract(epoch from e.occurred_at), extract(epoch from $2)))::uuid, %4$s, 'pending', 'epoch', 0, e.kind, e.subscriber_id, coalesce(e.message_id::text, ''),
      e.occurred_at, json_strip_nulls(json_build_object('event_type', e.kind, 'occurred_at',
        to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'marketing_email_id', e.email_id,
        'url', e.url, 'amount', e.amount, 'seconds', e.seconds))
    from events e %5$s
    where exists (
        select from subscriber_watches w
        where w.tenant_id = %3$s and w.kind = e.kind and w.key in ('', e.email_id::text))
      or exists (
        select from journey_states s
        where s.tenant_id = %3$s and s.subscriber_id = e.subscriber_id and s.status = 'active' and e.kind = any(s.hears))
    on conflict do nothing returning 1)
    select count(*) from signalled$query$,
    tessera_tenant_sql(tenant, 't.tenant_id'), tessera_tenant_sql(tenant, 'g.tenant_id'),
    tessera_tenant_sql(tenant, 'e.tenant_id'), row_tenant, tessera_tenant_row_sql(tenant))
  using events, moment;
end $$;
