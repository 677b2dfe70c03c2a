-- What sets automations off besides changes of records: hooks, schedules and messages of queues.

-- The addresses of hooks: one that takes any method has a row for each, so that the key tells what is taken.
create table automation_hooks (
  tenant_id uuid not null,
  path text not null,
  method text not null check (method in ('get', 'post', 'put')),
  automation_id uuid not null,
  primary key (tenant_id, path, method)
);
create index automation_hooks_automation on automation_hooks (tenant_id, automation_id);
select tessera_isolate('automation_hooks');

-- Schedules: a ledger of the active automations that have one. The id is the automation's, the target the tenant's.
create table automation_schedules (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  state text not null check (state in ('pending', 'success', 'failed')),
  due_at timestamptz not null,
  attempts int not null,
  faults int not null default 0,
  last_error text,
  expression text not null,
  -- The next tick; it is due at this time, or looked at earlier.
  planned_at timestamptz not null,
  primary key (tenant_id, id)
);
create index automation_schedules_due on automation_schedules (tenant_id, target_id, due_at) where state = 'pending';
select tessera_isolate('automation_schedules');

-- The active automations that handle the messages of a queue.
create table queue_handlers (
  tenant_id uuid not null,
  automation_id uuid not null,
  queue text not null,
  primary key (tenant_id, automation_id)
);
create index queue_handlers_queue on queue_handlers (tenant_id, queue);
select tessera_isolate('queue_handlers');

-- Messages that nobody handles yet, where there is no broker. Those that somebody handles are runs.
create table queue_messages (
  tenant_id uuid not null,
  id uuid not null,
  queue text not null,
  body json not null,
  -- The keys of the automations whose runs led to it, the first one first.
  chain json not null,
  primary key (tenant_id, id)
);
create index queue_messages_queue on queue_messages (tenant_id, queue, id);
select tessera_isolate('queue_messages');

-- Messages on their way to the broker: a ledger, its target the queue.
create table queue_outbox (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  state text not null check (state in ('pending', 'success', 'failed')),
  due_at timestamptz not null,
  attempts int not null,
  faults int not null default 0,
  last_error text,
  queue text not null,
  body json not null,
  chain json not null,
  primary key (tenant_id, id)
);
create index queue_outbox_due on queue_outbox (tenant_id, target_id, due_at) where state = 'pending';
select tessera_isolate('queue_outbox');
