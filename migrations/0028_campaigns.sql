-- Marketing campaigns, their e-mails, who gets them, and what people did because of them.

create table marketing_campaigns (
  tenant_id uuid not null references tenants on delete cascade,
  code text not null,
  id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  colour text not null,
  -- As they were given, and as the moments that they mean.
  start_date text not null,
  end_date text,
  starts_at timestamptz not null,
  ends_at timestamptz,
  goal text,
  audience text not null,
  primary key (tenant_id, code)
);
create index marketing_campaigns_newest on marketing_campaigns (tenant_id, created_at desc, code desc);
select tessera_isolate('marketing_campaigns');

create table marketing_emails (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  campaign_code text not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  description text,
  subject text not null,
  target_subscribers_count int,
  status text not null check (status in ('Draft', 'Ready', 'Scheduled', 'Sending', 'Sent', 'Cancelled')),
  sent_date timestamptz,
  content json,
  from_email text,
  from_name text,
  list_ids json not null,
  audience_ids json not null,
  subscription_type_id text,
  cancel_reason text,
  -- The job that sends it, and the transmission that this becomes.
  job_id uuid not null,
  primary key (tenant_id, id)
);
create index marketing_emails_newest on marketing_emails (tenant_id, campaign_code, created_at desc, id desc);
create index marketing_emails_by_job on marketing_emails (tenant_id, job_id);
-- What time changes: few at once.
create index marketing_emails_under_way on marketing_emails (tenant_id, sent_date) where status in ('Scheduled', 'Sending');
select tessera_isolate('marketing_emails');

-- The sending of one e-mail: who gets it is frozen by portions, each of which moves the place where the next begins.
create table marketing_email_sending_jobs (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  marketing_email_id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  status text not null check (status in ('freezing', 'sending', 'sent', 'cancelled')),
  recipients int not null,
  groups json not null,
  -- The last person who was looked at; null: nobody yet.
  frozen_to uuid,
  -- Messages before this position have ended.
  ended_to int not null,
  primary key (tenant_id, id)
);
create index marketing_email_sending_jobs_newest on marketing_email_sending_jobs (tenant_id, created_at desc, id desc);
select tessera_isolate('marketing_email_sending_jobs');

-- Whom a message of a campaign is to; null for messages that are to an address alone.
alter table email_messages add column subscriber_id uuid;
create index email_messages_by_subscriber on email_messages (tenant_id, subscriber_id, created_at desc)
  where subscriber_id is not null;

-- What people did on sites because of mail, as sites tell.
create table marketing_events (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  type text not null check (type in ('page_view', 'purchase', 'engagement_time')),
  subscriber_id uuid not null,
  -- The e-mail that led to it, and its campaign; null when none did.
  marketing_email_id uuid,
  campaign_code text,
  url text,
  amount numeric,
  seconds double precision,
  occurred_at timestamptz not null,
  primary key (tenant_id, id)
);
create index marketing_events_by_time on marketing_events (tenant_id, occurred_at);
create index marketing_events_by_email on marketing_events (tenant_id, marketing_email_id, subscriber_id)
  where marketing_email_id is not null;
create index marketing_events_by_subscriber on marketing_events (tenant_id, subscriber_id);
select tessera_isolate('marketing_events');
