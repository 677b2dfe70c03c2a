-- planner: by keys, joins in memory, plans kept
-- Records events [{tenant_id, id, message_id, type, occurred_at, url, ip_address, user_agent, machine_reason,
-- bounce_class, about_sender, detail, suppression}] with their effects: columns of the messages, suppressions,
-- deliveries to subscribed event webhooks, and signals to journeys that watch them. Returns the number of deliveries.
-- An event with a `suppression` (its description) suppresses the address, and so do `soft_bounces` soft bounces within
-- `soft_bounce_days`, except those `about_sender`. The suppression of an unsubscribe stores the subscription types.
-- `machine_clicks` [{tenant_id, id}] are recorded clicks of these messages that turn out to be a machine's; `counted`
-- are further changes of the transaction, to be counted together (tessera_count_messages).
--
-- Events of missing messages are ignored, and so are opens and clicks of a message with `most_events` events, because
-- any reader of a mail can repeat them. A message bounces, complains and unsubscribes once, however often it is
-- reported; only a hard bounce after a soft one counts again. The suppression is still written each time: an address
-- whose suppression was lifted is suppressed again. A delivery is recorded as an event only if a webhook subscribes to
-- it, because the message itself has its sending time. Messages are locked in key order.
--
-- Tables are read by keys behind a `limit`, so that every plan uses the index; changed messages are updated by their
-- physical location. `tenant`: see tessera_tenant_sql.
create function tessera_record_message_events(
  tenant uuid, events json, moment timestamptz, soft_bounces int, soft_bounce_days int, soft_bounce_suppression text,
  machine_clicks json, machine_reason text, counted jsonb,
  most_events int
) returns int language plpgsql as $$
declare
  statement text;
  deliveries int;
  changes json;
  visits jsonb;
  changed jsonb := '[]';
  links jsonb;
  flagged jsonb;
  growing constant regclass[] := '{email_messages, email_message_events, transmissions}';
begin
  statement := format($query$
    with reported as materialized (
      select g.* from json_to_recordset($1) as g (tenant_id uuid, id uuid, message_id uuid, type text,
        occurred_at timestamptz, url text, ip_address text, user_agent text, machine_reason text,
        bounce_class text, about_sender boolean, detail text, suppression text)
    ), locked as materialized (
      select m.* from (
        select distinct tenant_id, message_id from reported order by tenant_id, message_id) k
      cross join lateral (
        select m.tenant_id, m.id, m.transmission_id, m.subscriber_id, m.recipient, m.opened_at, m.clicked_at, m.bounced_at,
          m.bounce_class, m.complained_at, m.unsubscribed_at, exists (
            select from email_message_events e where e.tenant_id = %1$s and e.message_id = m.id offset %6$s) as is_full
        from email_messages m where m.tenant_id = %1$s and m.id = k.message_id limit 1 for no key update) m
    ), known as materialized (
      select g.*, l.transmission_id, l.subscriber_id, l.recipient, case g.type
        when 'open' then g.machine_reason is null and g.occurred_at < coalesce(l.opened_at, 'infinity')
        when 'click' then g.machine_reason is null and g.occurred_at < coalesce(l.clicked_at, 'infinity')
        when 'bounce' then l.bounced_at is null or (l.bounce_class is distinct from 'hard' and g.bounce_class = 'hard')
        when 'complaint' then l.complained_at is null
        when 'unsubscribe' then l.unsubscribed_at is null
        else false end as changes_message
      from reported g join locked l on l.tenant_id = g.tenant_id and l.id = g.message_id
      where not (l.is_full and g.type in ('open', 'click'))
    ), counted as materialized (
      select * from known where type in ('open', 'click', 'delivery')
      union all
      select * from (
        select distinct on (tenant_id, message_id, type) * from known
        where type in ('bounce', 'complaint', 'unsubscribe') and changes_message
        order by tenant_id, message_id, type, bounce_class, occurred_at, id) first_of_type
    ), hooks as materialized (
      select w.tenant_id, w.id, e.event
      from (select distinct tenant_id from counted) t
      cross join lateral (
        select w.tenant_id, w.id, w.events from email_event_webhooks w
        where w.tenant_id = %2$s and w.active limit 1000) w
      cross join lateral json_array_elements_text(w.events) as e (event)
    ), subscribed_events as materialized (
      select c.tenant_id, c.id, h.id as webhook_id, tessera_uuidv7($2) as delivery_id
      from counted c join hooks h on h.tenant_id = c.tenant_id and h.event = c.type
    ), stored as (
      insert into email_message_events as event (tenant_id, id, message_id, type, occurred_at, url, ip_address, user_agent,
        machine_reason, bounce_class, detail)
      select %4$s, c.id, c.message_id, c.type, c.occurred_at, c.url, c.ip_address, c.user_agent,
        c.machine_reason, c.bounce_class, c.detail
      from counted c %5$s
      where c.type <> 'delivery' or exists (select from subscribed_events t where t.tenant_id = c.tenant_id and t.id = c.id)
    ), visits as materialized (
      select tenant_id, transmission_id, subscriber_id, message_id, url, count(*) filter (where type = 'open') as opens,
        count(*) filter (where type = 'click') as clicks, min(occurred_at) as first_at, max(occurred_at) as last_at
      from counted where type in ('open', 'click') and machine_reason is null and subscriber_id is not null
      group by tenant_id, transmission_id, subscriber_id, message_id, url
    ), changes as materialized (
      select tenant_id, message_id, min(occurred_at) filter (where type = 'open') as opened_at,
        min(occurred_at) filter (where type = 'click') as clicked_at,
        min(occurred_at) filter (where type = 'bounce') as bounced_at,
        min(bounce_class) filter (where type = 'bounce') as bounce_class,
        bool_and(about_sender) filter (where type = 'bounce') as bounce_about_sender,
        min(detail) filter (where type = 'bounce') as bounce_reason,
        min(occurred_at) filter (where type = 'complaint') as complained_at,
        min(occurred_at) filter (where type = 'unsubscribe') as unsubscribed_at
      from counted where changes_message group by tenant_id, message_id
    ), repeated as materialized (
      -- Soft bounces of other messages to the same address, and those of this batch.
      select s.tenant_id, s.recipient, s.bounced_at, s.new_ones + (
        select count(*) from email_messages m
        where m.tenant_id = %3$s and m.recipient = s.recipient and m.bounce_class = 'soft'
          and m.bounce_about_sender is not true
          and m.bounced_at > s.bounced_at - make_interval(days => $4)) as bounces
      from (select tenant_id, recipient, max(occurred_at) as bounced_at, count(*) as new_ones from counted
        where type = 'bounce' and bounce_class = 'soft' and not about_sender
        group by tenant_id, recipient) s
    ), reasons as materialized (
      select distinct on (tenant_id, recipient) tenant_id, recipient, type, description, occurred_at from (
        select tenant_id, recipient, type, suppression as description, occurred_at, false as repeated
        from known where suppression is not null
        union all
        select tenant_id, recipient, 'bounce', $5, bounced_at, true from repeated where bounces >= $3) each
      order by tenant_id, recipient, array_position('{complaint,bounce,unsubscribe}', type), repeated, occurred_at
    ), left_types as materialized (
      -- Null: a message was of no type.
      select k.tenant_id, k.recipient, case when bool_and(t.id is not null) then array_agg(distinct t.id) end as ids
      from known k
      left join lateral (
        select t.options -> 'campaign' ->> 'subscriptionTypeId' as id from transmissions t
        where t.tenant_id = %1$s and t.id = k.transmission_id limit 1) t on true
      where k.type = 'unsubscribe' and k.suppression is not null group by k.tenant_id, k.recipient
    ), suppressed as (
      insert into email_suppressions as present (tenant_id, recipient, type, description, created_at, left_types)
      select %4$s, c.recipient, c.type, c.description, c.occurred_at, case when c.type = 'unsubscribe' then l.ids end
      from reasons c left join left_types l on l.tenant_id = c.tenant_id and l.recipient = c.recipient %5$s
      -- A bounce after an unsubscribe also suppresses transactional mail, never the other way round. A further
      -- unsubscribe adds its type.
      on conflict (tenant_id, recipient) do update set
        type = excluded.type,
        description = case when excluded.type = 'unsubscribe' then present.description else excluded.description end,
        created_at = case when excluded.type = 'unsubscribe' then present.created_at else excluded.created_at end,
        left_types = case when excluded.left_types is not null then present.left_types || excluded.left_types end
        where present.type = 'unsubscribe' and (excluded.type <> 'unsubscribe' or present.left_types is not null
          and (excluded.left_types is null or not present.left_types @> excluded.left_types))
    ), queued_deliveries as (
      insert into email_event_deliveries as delivery (tenant_id, id, target_id, state, due_at, attempts, event_id, created_at)
      select %4$s, c.delivery_id, c.webhook_id, 'pending', $2, 0, c.id, $2 from subscribed_events c %5$s
    )
    select (select count(*)::int from subscribed_events), (select json_agg(c) from changes c), (select coalesce(jsonb_agg(v), '[]') from visits v)$query$,
    tessera_tenant_sql(tenant, 'k.tenant_id'), tessera_tenant_sql(tenant, 't.tenant_id'),
    tessera_tenant_sql(tenant, 's.tenant_id'),
    case when tenant is null then 'c.tenant_id' else 'tenant_row.tenant_id' end, tessera_tenant_row_sql(tenant), most_events - 1);
  if tenant is null then
    execute tessera_kept_plan(statement, 'json, timestamptz, int, int, text',
      format('%L, %L, %L, %L, %L', events, moment, soft_bounces, soft_bounce_days, soft_bounce_suppression), growing)
    into deliveries, changes, visits;
  else
    execute statement into deliveries, changes, visits
    using events, moment, soft_bounces, soft_bounce_days, soft_bounce_suppression;
  end if;
  -- A separate statement, so that it sees the messages as they were when they were locked.
  if changes is not null then
    statement := format($query$
      with located as materialized (
        -- Materialized, so that no plan looks the messages up once for each message of the tenant.
        select c.*, k.* from json_to_recordset($1) as c (tenant_id uuid, message_id uuid, opened_at timestamptz,
          clicked_at timestamptz, bounced_at timestamptz, bounce_class text, bounce_about_sender boolean, bounce_reason text,
          complained_at timestamptz, unsubscribed_at timestamptz)
        cross join lateral (
          select m.ctid as location, m.status, m.opened_at is null as unopened, m.clicked_at is null as unclicked,
            m.unsubscribed_at is null as subscribed
          from email_messages m where m.tenant_id = %1$s and m.id = c.message_id limit 1) k
      ), changed as (
        update email_messages m set
          opened_at = least(m.opened_at, c.opened_at),
          clicked_at = least(m.clicked_at, c.clicked_at),
          status = case when c.bounced_at is null then m.status else 'bounced' end,
          bounced_at = coalesce(c.bounced_at, m.bounced_at),
          bounce_class = coalesce(c.bounce_class, m.bounce_class),
          bounce_about_sender = coalesce(c.bounce_about_sender, m.bounce_about_sender),
          bounce_reason = coalesce(c.bounce_reason, m.bounce_reason),
          complained_at = coalesce(m.complained_at, c.complained_at),
          unsubscribed_at = coalesce(m.unsubscribed_at, c.unsubscribed_at)
        from located c where m.tenant_id = %1$s and m.ctid = c.location
        returning m.tenant_id, m.transmission_id, m.subscriber_id,
          (m.status = 'sent')::int - (c.status = 'sent')::int as delivered,
          (m.status = 'bounced')::int - (c.status = 'bounced')::int as bounced,
          (c.unopened and m.opened_at is not null)::int as opened,
          (c.unclicked and m.clicked_at is not null)::int as clicked,
          (c.subscribed and m.unsubscribed_at is not null)::int as unsubscribed
      )
      select coalesce(jsonb_agg(c), '[]') from changed c where c.subscriber_id is not null$query$,
      tessera_tenant_sql(tenant, 'c.tenant_id'));
    if tenant is null then
      execute tessera_kept_plan(statement, 'json', quote_literal(changes), growing) into changed;
    else
      execute statement into changed using changes;
    end if;
  end if;
  perform tessera_signal_events(tenant, visits, moment);
  links := tessera_record_link_visits(tenant, visits);
  flagged := tessera_flag_clicks(machine_clicks, machine_reason);
  perform tessera_count_messages(tenant, counted || changed || visits || (flagged -> 'messages'));
  perform tessera_count_links(tenant, links || (flagged -> 'links'));
  return deliveries;
end $$;
