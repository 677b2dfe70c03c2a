-- Webhooks, and one row per delivery that they owe: written with the submission, worked by the ledger.

create table webhooks (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  form_code text not null,
  url text not null,
  -- [{name, value, is_secret}]; the value of a secret one is sealed under the webhook's id.
  headers json not null,
  active boolean not null,
  test_data json not null,
  last_attempt_at timestamptz,
  last_attempt_status text check (last_attempt_status in ('success', 'failed')),
  primary key (tenant_id, id)
);
create index webhooks_newest on webhooks (tenant_id, created_at desc, id desc);
-- Read by every submission.
create index webhooks_by_form on webhooks (tenant_id, form_code);
select tessera_isolate('webhooks');

-- No foreign keys: a submission writes here without locking its webhooks, and a delivery whose webhook or
-- submission is gone is dropped when its turn comes.
create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  -- The webhook.
  target_id uuid not null,
  submission_id uuid not null,
  state text not null check (state in ('pending', 'success', 'failed')),
  due_at timestamptz not null,
  attempts int not null,
  last_status_code int,
  last_error text,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index webhook_deliveries_due on webhook_deliveries (tenant_id, target_id, due_at) where state = 'pending';
create index webhook_deliveries_newest on webhook_deliveries (tenant_id, target_id, created_at desc, id desc);
select tessera_isolate('webhook_deliveries');
