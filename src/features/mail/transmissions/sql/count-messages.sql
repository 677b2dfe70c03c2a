-- planner: by keys, joins in memory
-- Adds changes to the statistics of messages to subscribers: [{tenant_id, transmission_id, subscriber_id, dropped,
-- delivered, bounced, opened, clicked, unsubscribed, opens, clicks}], each the difference; absent means 0.
--
-- Call it once per transaction, when all of its messages are locked: rows are locked in key order to avoid deadlocks. A
-- subscriber counts once per campaign, by the number of its messages. There are two statements, because not every
-- database supports two conflict targets in one (docs/decisions/0021). `tenant`: see tessera_tenant_sql.
create function tessera_count_messages(tenant uuid, changes jsonb) returns void language plpgsql as $$
declare
  slots constant int := 8;
  row_tenant constant text := case when tenant is null then 'c.tenant_id' else 'tenant_row.tenant_id' end;
  sendings constant text := format($query$
    select t.* from (select distinct tenant_id, transmission_id from changes) k
    cross join lateral (
      select t.tenant_id, t.id, t.campaign_id from transmissions t
      where t.tenant_id = %s and t.id = k.transmission_id and t.campaign_id is not null limit 1) t$query$,
    tessera_tenant_sql(tenant, 'k.tenant_id'));
  reached jsonb;
begin
  if changes = '[]' then return; end if;
  execute format($query$
    with changes as materialized (
      select g.* from jsonb_to_recordset($1) as g (tenant_id uuid, transmission_id uuid, subscriber_id uuid, delivered int)
      where g.delivered <> 0
    ), sendings as materialized (%1$s
    ), reached_subscribers as materialized (
      select g.tenant_id, s.campaign_id, g.subscriber_id, sum(g.delivered)::int as messages,
        min(g.transmission_id::text) as transmission_id
      from changes g join sendings s on s.tenant_id = g.tenant_id and s.id = g.transmission_id
      group by g.tenant_id, s.campaign_id, g.subscriber_id
    ), saved as (
      insert into email_campaign_reach as known (tenant_id, campaign_id, subscriber_id, messages)
      select %2$s, c.campaign_id, c.subscriber_id, c.messages from reached_subscribers c %3$s
      order by c.tenant_id, c.campaign_id, c.subscriber_id
      on conflict (tenant_id, campaign_id, subscriber_id) do update set messages = known.messages + excluded.messages
      returning tenant_id, campaign_id, subscriber_id, messages
    )
    select coalesce(jsonb_agg(jsonb_build_object('tenant_id', p.tenant_id, 'transmission_id', p.transmission_id,
      'reached', (n.messages > 0)::int - (n.messages - p.messages > 0)::int)), '[]')
    from reached_subscribers p
    join saved n on n.tenant_id = p.tenant_id and n.campaign_id = p.campaign_id and n.subscriber_id = p.subscriber_id$query$,
    sendings, row_tenant, tessera_tenant_row_sql(tenant)) into reached using changes;
  execute format($query$
    with changes as materialized (
      select g.* from jsonb_to_recordset($1) as g (tenant_id uuid, transmission_id uuid, dropped int, delivered int,
        bounced int, opened int, clicked int, unsubscribed int, opens int, clicks int, reached int)
    ), sendings as materialized (%1$s
    ), counted as materialized (
      select g.tenant_id, g.transmission_id, s.campaign_id, coalesce(sum(g.dropped), 0) as dropped,
        coalesce(sum(g.delivered), 0) as delivered, coalesce(sum(g.bounced), 0) as bounced,
        coalesce(sum(g.opened), 0) as opened, coalesce(sum(g.clicked), 0) as clicked,
        coalesce(sum(g.unsubscribed), 0) as unsubscribed, coalesce(sum(g.opens), 0) as opens,
        coalesce(sum(g.clicks), 0) as clicks, coalesce(sum(g.reached), 0) as reached
      from changes g join sendings s on s.tenant_id = g.tenant_id and s.id = g.transmission_id
      group by g.tenant_id, g.transmission_id, s.campaign_id
    ), saved as (
      insert into email_sending_counts as present (tenant_id, transmission_id, slot, campaign_id, dropped, delivered, bounced,
        opened, clicked, unsubscribed, opens, clicks, reached)
      select %2$s, c.transmission_id, $2, c.campaign_id, c.dropped, c.delivered, c.bounced, c.opened, c.clicked,
        c.unsubscribed, c.opens, c.clicks, c.reached
      from counted c %3$s
      order by c.tenant_id, c.transmission_id
      on conflict (tenant_id, transmission_id, slot) do update set
        dropped = present.dropped + excluded.dropped, delivered = present.delivered + excluded.delivered,
        bounced = present.bounced + excluded.bounced, opened = present.opened + excluded.opened,
        clicked = present.clicked + excluded.clicked, unsubscribed = present.unsubscribed + excluded.unsubscribed,
        opens = present.opens + excluded.opens, clicks = present.clicks + excluded.clicks,
        reached = present.reached + excluded.reached
      returning 1
    )
    select from saved$query$,
    sendings, row_tenant, tessera_tenant_row_sql(tenant)) using changes || reached, floor(random() * slots)::int;
end $$;
