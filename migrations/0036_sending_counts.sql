-- What became of the messages to people, counted by whatever changes a message, so that figures are not counted when they are
-- read. Mail to addresses alone is not counted here.

-- By sending. Several slots each, so that those who change messages do not wait for each other.
create table email_sending_counts (
  tenant_id uuid not null,
  transmission_id uuid not null,
  slot smallint not null,
  -- That of the transmission.
  campaign_id text not null,
  -- Messages that went again, as nobody was to be sent them any more.
  dropped bigint not null,
  -- Messages by what became of them.
  delivered bigint not null,
  bounced bigint not null,
  opened bigint not null,
  clicked bigint not null,
  unsubscribed bigint not null,
  -- How often people opened and clicked.
  opens bigint not null,
  clicks bigint not null,
  -- People with a delivered message, each once in a campaign: of all its sendings together.
  reached bigint not null,
  primary key (tenant_id, transmission_id, slot)
);
create index email_sending_counts_by_campaign on email_sending_counts (tenant_id, campaign_id);
select tessera_isolate('email_sending_counts');

-- How many delivered messages of a campaign somebody has.
create table email_campaign_reach (
  tenant_id uuid not null,
  campaign_id text not null,
  subscriber_id uuid not null,
  messages int not null,
  primary key (tenant_id, campaign_id, subscriber_id)
);
select tessera_isolate('email_campaign_reach');

-- The links of sendings that people followed. `link` is the hash of the address, which may be too long for an index.
create table email_sending_links (
  tenant_id uuid not null,
  transmission_id uuid not null,
  link uuid not null,
  url text not null,
  clicks bigint not null,
  -- Messages from which it was followed.
  unique_clicks bigint not null,
  primary key (tenant_id, transmission_id, link)
);
select tessera_isolate('email_sending_links');

-- Who followed which of them.
create table email_link_visits (
  tenant_id uuid not null,
  message_id uuid not null,
  link uuid not null,
  transmission_id uuid not null,
  clicks int not null,
  first_clicked_at timestamptz not null,
  last_clicked_at timestamptz not null,
  primary key (tenant_id, message_id, link)
);
create index email_link_visits_first on email_link_visits (tenant_id, transmission_id, link, first_clicked_at);
create index email_link_visits_last on email_link_visits (tenant_id, transmission_id, link, last_clicked_at);
select tessera_isolate('email_link_visits');

-- What somebody did on sites because of an e-mail, summed up as it is told.
create table marketing_behaviour (
  tenant_id uuid not null,
  marketing_email_id uuid not null,
  subscriber_id uuid not null,
  -- That of the person.
  owner_bu_id uuid not null,
  first_page_view_at timestamptz,
  last_page_view_at timestamptz,
  page_view_count int not null,
  total_engagement_time_seconds double precision not null,
  first_purchase_at timestamptz,
  last_purchase_at timestamptz,
  purchase_count int not null,
  total_purchase_amount numeric not null,
  primary key (tenant_id, marketing_email_id, subscriber_id)
);
create index marketing_behaviour_buyers on marketing_behaviour (tenant_id, marketing_email_id)
  include (subscriber_id, owner_bu_id, purchase_count, total_purchase_amount) where purchase_count > 0;
create index marketing_behaviour_by_subscriber on marketing_behaviour (tenant_id, subscriber_id);
select tessera_isolate('marketing_behaviour');

-- Messages of sendings, newest first: each is in one of these.
create index email_messages_unclicked on email_messages (tenant_id, transmission_id, created_at desc, id desc)
  where subscriber_id is not null and clicked_at is null;
create index email_messages_followed on email_messages (tenant_id, transmission_id, created_at desc, id desc)
  where subscriber_id is not null and clicked_at is not null;

-- What is there already.
insert into email_sending_counts (tenant_id, transmission_id, slot, campaign_id, dropped, delivered, bounced, opened, clicked,
  unsubscribed, opens, clicks, reached)
  select m.tenant_id, m.transmission_id, 0, t.campaign_id, greatest(0, max(j.recipients) - count(*)),
    count(*) filter (where m.status = 'sent'), count(*) filter (where m.status = 'bounced'),
    count(m.opened_at), count(m.clicked_at), count(m.unsubscribed_at), 0, 0, 0
  from email_messages m
  join transmissions t on t.tenant_id = m.tenant_id and t.id = m.transmission_id
  join marketing_email_sending_jobs j on j.tenant_id = m.tenant_id and j.id = m.transmission_id
  where m.subscriber_id is not null and t.campaign_id is not null
  group by m.tenant_id, m.transmission_id, t.campaign_id;

insert into email_sending_counts (tenant_id, transmission_id, slot, campaign_id, dropped, delivered, bounced, opened, clicked,
  unsubscribed, opens, clicks, reached)
  select m.tenant_id, m.transmission_id, 1, t.campaign_id, 0, 0, 0, 0, 0, 0,
    count(*) filter (where e.type = 'open'), count(*) filter (where e.type = 'click'), 0
  from email_messages m
  join transmissions t on t.tenant_id = m.tenant_id and t.id = m.transmission_id
  join email_message_events e on e.tenant_id = m.tenant_id and e.message_id = m.id
  where m.subscriber_id is not null and t.campaign_id is not null
    and e.type in ('open', 'click') and e.machine_reason is null
  group by m.tenant_id, m.transmission_id, t.campaign_id;

insert into email_campaign_reach (tenant_id, campaign_id, subscriber_id, messages)
  select m.tenant_id, t.campaign_id, m.subscriber_id, count(*)
  from email_messages m
  join transmissions t on t.tenant_id = m.tenant_id and t.id = m.transmission_id
  where m.subscriber_id is not null and t.campaign_id is not null and m.status = 'sent'
  group by m.tenant_id, t.campaign_id, m.subscriber_id;

insert into email_sending_counts (tenant_id, transmission_id, slot, campaign_id, dropped, delivered, bounced, opened, clicked,
  unsubscribed, opens, clicks, reached)
  select r.tenant_id, s.transmission_id, 2, r.campaign_id, 0, 0, 0, 0, 0, 0, 0, 0, count(*)
  from email_campaign_reach r
  join (
    select tenant_id, campaign_id, min(transmission_id::text)::uuid as transmission_id
    from email_sending_counts group by tenant_id, campaign_id) s
    on s.tenant_id = r.tenant_id and s.campaign_id = r.campaign_id
  group by r.tenant_id, s.transmission_id, r.campaign_id;

insert into email_link_visits (tenant_id, message_id, link, transmission_id, clicks, first_clicked_at, last_clicked_at)
  select m.tenant_id, m.id, md5(e.url)::uuid, m.transmission_id, count(*), min(e.occurred_at), max(e.occurred_at)
  from email_messages m
  join email_message_events e on e.tenant_id = m.tenant_id and e.message_id = m.id
  where m.subscriber_id is not null and e.type = 'click' and e.machine_reason is null and e.url is not null
  group by m.tenant_id, m.id, m.transmission_id, e.url;

insert into email_sending_links (tenant_id, transmission_id, link, url, clicks, unique_clicks)
  select m.tenant_id, m.transmission_id, md5(e.url)::uuid, e.url, count(*), count(distinct m.id)
  from email_messages m
  join email_message_events e on e.tenant_id = m.tenant_id and e.message_id = m.id
  where m.subscriber_id is not null and e.type = 'click' and e.machine_reason is null and e.url is not null
  group by m.tenant_id, m.transmission_id, e.url;

insert into marketing_behaviour (tenant_id, marketing_email_id, subscriber_id, owner_bu_id, first_page_view_at,
  last_page_view_at, page_view_count, total_engagement_time_seconds, first_purchase_at, last_purchase_at, purchase_count,
  total_purchase_amount)
  select e.tenant_id, e.marketing_email_id, e.subscriber_id, e.owner_bu_id,
    min(e.occurred_at) filter (where e.type = 'page_view'), max(e.occurred_at) filter (where e.type = 'page_view'),
    count(*) filter (where e.type = 'page_view'), coalesce(sum(e.seconds), 0),
    min(e.occurred_at) filter (where e.type = 'purchase'), max(e.occurred_at) filter (where e.type = 'purchase'),
    count(*) filter (where e.type = 'purchase'), coalesce(sum(e.amount) filter (where e.type = 'purchase'), 0)
  from marketing_events e where e.marketing_email_id is not null
  group by e.tenant_id, e.marketing_email_id, e.subscriber_id, e.owner_bu_id;
