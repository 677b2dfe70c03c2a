-- Journeys of subscribers, and where everyone is.

create table journeys (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  active boolean not null,
  trigger json not null,
  steps json not null,
  re_entry json not null,
  -- What must not be deleted while it is active: ["form:<code>", "group:<id>", "template:<id>"].
  uses json not null,
  primary key (tenant_id, id)
);
create index journeys_newest on journeys (tenant_id, created_at desc, id desc);
create index journeys_active on journeys (tenant_id, id) where active;
select tessera_isolate('journeys');

-- The steps of each version with which states may have begun.
create table journey_versions (
  tenant_id uuid not null,
  journey_id uuid not null,
  version int not null,
  steps json not null,
  primary key (tenant_id, journey_id, version)
);
select tessera_isolate('journey_versions');

-- Where everyone is: a ledger, its target the journey.
create table journey_states (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  state text not null check (state in ('pending', 'success', 'failed')),
  due_at timestamptz not null,
  attempts int not null,
  faults int not null default 0,
  last_error text,
  -- steps; calls: at a step that calls others, who may be slow; parked: due in a journey that is switched off.
  lane text not null check (lane in ('steps', 'calls', 'parked')),
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  journey_version int not null,
  subscriber_id uuid not null,
  -- Counts how often the person entered: the next one is made only when this one has ended.
  entry int not null,
  status text not null check (status in ('active', 'completed', 'exited', 'failed')),
  current_step text,
  -- When it arrived at that step, and until when it waits there; a lease moves due_at, not this.
  arrived_at timestamptz not null,
  waits_until timestamptz,
  finished_at timestamptz,
  error text,
  history json not null,
  -- How many steps it has taken.
  steps_taken int not null,
  -- What set it off; null: nothing to tell, or the person was erased.
  trigger json,
  -- The last mail of each step: {"<step>": {"id", "at"}}.
  mails json not null,
  -- The kinds of events that a step of its version may wait for, and when the last of each happened: {"open:<message>": time}.
  hears text[] not null,
  heard jsonb not null,
  -- The event that wakes it, and since when it counts; null: none.
  waits_for text,
  waits_since timestamptz,
  primary key (tenant_id, id),
  constraint journey_states_entry unique (tenant_id, subscriber_id, target_id, entry)
);
create index journey_states_due on journey_states (tenant_id, target_id, due_at) where state = 'pending' and lane = 'steps';
create index journey_states_calling on journey_states (tenant_id, target_id, due_at) where state = 'pending' and lane = 'calls';
create index journey_states_parked on journey_states (tenant_id, target_id, id) where state = 'pending' and lane = 'parked';
create index journey_states_newest on journey_states (tenant_id, target_id, created_at desc, id desc);
create index journey_states_active on journey_states (tenant_id, target_id, current_step, created_at desc, id desc)
  where status = 'active';
select tessera_isolate('journey_states');

create view journey_states_stepping with (security_invoker = true) as select * from journey_states where lane = 'steps';
create view journey_states_calls with (security_invoker = true) as select * from journey_states where lane = 'calls';

-- How many are in which state. Several slots each, so that those who change states do not wait for each other.
create table journey_counts (
  tenant_id uuid not null,
  journey_id uuid not null,
  slot smallint not null,
  active bigint not null,
  completed bigint not null,
  exited bigint not null,
  failed bigint not null,
  primary key (tenant_id, journey_id, slot)
);
select tessera_isolate('journey_counts');

-- The transmissions to which the mails of a step belong: one for each content that it had.
create table journey_sendings (
  tenant_id uuid not null,
  journey_id uuid not null,
  step text not null,
  fingerprint text not null,
  transmission_id uuid not null,
  primary key (tenant_id, journey_id, step, fingerprint)
);
select tessera_isolate('journey_sendings');

-- What somebody wants to be told of: that people join a group, subscribe to a type, are made active or inactive.
create table subscriber_watches (
  tenant_id uuid not null,
  kind text not null,
  -- The group, the type; empty: any.
  key text not null,
  watcher_id uuid not null,
  -- Whether it is watched only while the watcher is active.
  is_trigger boolean not null,
  primary key (tenant_id, kind, key, watcher_id)
);
create index subscriber_watches_watcher on subscriber_watches (tenant_id, watcher_id);
select tessera_isolate('subscriber_watches');

-- What has happened to people and is watched: a ledger, its target the tenant. Rows are only ever added and removed, so that
-- nobody who writes a subscriber waits for who works them.
create table subscriber_signals (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  state text not null,
  due_at timestamptz not null,
  attempts int not null,
  faults int not null default 0,
  last_error text,
  kind text not null,
  subscriber_id uuid not null,
  key text not null,
  occurred_at timestamptz not null,
  -- What else is told of it.
  data json,
  primary key (tenant_id, id)
);
create index subscriber_signals_due on subscriber_signals (tenant_id, target_id, due_at) where state = 'pending';
create index subscriber_signals_failed on subscriber_signals (tenant_id, due_at) where state = 'failed';
select tessera_isolate('subscriber_signals');
