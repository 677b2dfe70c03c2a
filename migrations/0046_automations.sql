-- Automations: what happens by itself, and the ledger of what has happened.

create table automations (
  tenant_id uuid not null,
  key text not null,
  -- What runs name it by: one of the same key that is made later is another.
  id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  app text not null,
  module text,
  active boolean not null,
  entity_key text,
  trigger_type text not null,
  trigger_params json not null,
  actions json not null,
  conditional_actions json not null,
  primary key (tenant_id, key)
);
create index automations_newest on automations (tenant_id, created_at desc, key desc);
create unique index automations_id on automations (tenant_id, id);
create index automations_triggers on automations (tenant_id, trigger_type, entity_key) where active;
select tessera_isolate('automations');

-- What an automation was in each version of which there may be runs.
create table automation_versions (
  tenant_id uuid not null,
  automation_id uuid not null,
  version int not null,
  definition json not null,
  -- Since when it is not the present one; null: it is.
  replaced_at timestamptz,
  primary key (tenant_id, automation_id, version)
);
create index automation_versions_replaced on automation_versions (tenant_id, replaced_at) where replaced_at is not null;
select tessera_isolate('automation_versions');

-- Runs: a ledger, its target the automation. They keep the version with which they began.
create table automation_runs (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  state text not null check (state in ('pending', 'success', 'failed')),
  due_at timestamptz not null,
  attempts int not null,
  faults int not null default 0,
  last_error text,
  automation_version int not null,
  trigger_type text not null,
  trigger json not null,
  -- Runs of one automation for the same record are worked one after the other, in the order of their places, which is the
  -- order in which the changes committed; null: in any order.
  record_id uuid,
  place bigint not null,
  -- What set it off at most once: a tick of a schedule, a message of a queue; null: nothing that may come twice.
  source_key text,
  -- The keys of the automations whose runs led to this one, the first one first.
  chain json not null,
  -- [{key, status, error, result}] of the actions that were done, and of the one that failed.
  actions json not null default '[]',
  -- Switched off, deleted or cancelled before it began.
  is_skipped boolean not null default false,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (tenant_id, id)
);
create index automation_runs_due on automation_runs (tenant_id, target_id, due_at) where state = 'pending';
create index automation_runs_order on automation_runs (tenant_id, target_id, record_id, place)
  where state = 'pending' and record_id is not null;
create index automation_runs_newest on automation_runs (tenant_id, target_id, created_at desc, id desc);
create unique index automation_runs_source on automation_runs (tenant_id, target_id, source_key)
  where source_key is not null;
select tessera_isolate('automation_runs');
