-- Failures of a webhook since its last success: when they began, and how many attempts and whole deliveries failed.
alter table webhooks add column failing_since timestamptz;
alter table webhooks add column failed_attempts int not null default 0;
alter table webhooks add column failed_deliveries int not null default 0;
-- A unit may have thousands of webhooks; a tenant has few of the other kinds.
create index webhooks_failing on webhooks (tenant_id, failing_since) where failing_since is not null;
alter table email_event_webhooks add column failing_since timestamptz;
alter table email_event_webhooks add column failed_attempts int not null default 0;
alter table email_event_webhooks add column failed_deliveries int not null default 0;
alter table entity_webhooks add column failing_since timestamptz;
alter table entity_webhooks add column failed_attempts int not null default 0;
alter table entity_webhooks add column failed_deliveries int not null default 0;

-- When a verified domain was found to be verified no longer; null: it is verified, or never was.
alter table sending_domains add column unverified_since timestamptz;

-- Numbers of events per hour. `subject_id` is what they are counted for: a webhook, a business unit or the tenant.
create table hourly_counts (
  tenant_id uuid not null,
  name text not null,
  subject_id uuid not null,
  hour timestamptz not null,
  -- Several rows where many writers count, so that they do not wait for each other.
  slot smallint not null,
  count bigint not null,
  primary key (tenant_id, name, subject_id, hour, slot)
);
select tessera_isolate('hourly_counts');
create index hourly_counts_oldest on hourly_counts (tenant_id, hour);
