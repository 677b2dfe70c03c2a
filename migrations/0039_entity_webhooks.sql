-- What a tenant's own receivers hear of its records: webhooks by the names of events, and what has changed.
create table entity_webhooks (
  tenant_id uuid not null,
  id uuid not null,
  url text not null,
  -- `<entity>.<created|updated|deleted>`.
  events json not null,
  -- Sealed.
  secret text not null,
  created_at timestamptz not null,
  -- The last success and the last failure of a delivery.
  last_successful timestamptz,
  last_failure timestamptz,
  primary key (tenant_id, id)
);
create index entity_webhooks_newest on entity_webhooks (tenant_id, created_at desc, id desc);
select tessera_isolate('entity_webhooks');

-- What happened to records that somebody wants to hear of: one row for each, written with the record.
create table entity_changes (
  tenant_id uuid not null,
  id uuid not null,
  entity text not null,
  kind text not null check (kind in ('created', 'updated', 'deleted')),
  record_id uuid not null,
  -- As its GET shows it; of a deleted one as it was.
  data json not null,
  occurred_at timestamptz not null,
  primary key (tenant_id, id)
);
select tessera_isolate('entity_changes');

-- Deliveries of changes to webhooks: a ledger, its target the webhook.
create table entity_change_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  change_id uuid not null,
  state text not null check (state in ('pending', 'success', 'failed')),
  due_at timestamptz not null,
  attempts int not null,
  faults int not null default 0,
  last_status_code int,
  last_error text,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index entity_change_deliveries_due on entity_change_deliveries (tenant_id, target_id, due_at) where state = 'pending';
create index entity_change_deliveries_failed on entity_change_deliveries (tenant_id, due_at) where state = 'failed';
select tessera_isolate('entity_change_deliveries');
