-- People who receive marketing mail, the lists and audiences that they are in, and what they chose to receive.

create table marketing_lists (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  description text,
  primary key (tenant_id, id)
);
create index marketing_lists_newest on marketing_lists (tenant_id, created_at desc, id desc);
select tessera_isolate('marketing_lists');

create table marketing_audiences (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  description text,
  primary key (tenant_id, id)
);
create index marketing_audiences_newest on marketing_audiences (tenant_id, created_at desc, id desc);
select tessera_isolate('marketing_audiences');

-- Who is in which list or audience.
create table subscriber_group_members (
  tenant_id uuid not null,
  group_id uuid not null,
  subscriber_id uuid not null,
  is_audience boolean not null,
  primary key (tenant_id, group_id, subscriber_id)
);
create index subscriber_group_members_by_subscriber
  on subscriber_group_members (tenant_id, subscriber_id, group_id) include (is_audience);
select tessera_isolate('subscriber_group_members');

-- How many they are, and how many of them are active. Several slots a group, so that writers do not wait for each other.
create table subscriber_group_counts (
  tenant_id uuid not null,
  group_id uuid not null,
  slot smallint not null,
  members bigint not null,
  active bigint not null,
  primary key (tenant_id, group_id, slot)
);
select tessera_isolate('subscriber_group_counts');

create table subscribers (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  first_name text not null,
  last_name text,
  email text not null,
  -- Normal form of the address: trimmed and in lower case.
  address_key text not null,
  active boolean not null,
  -- Why not; null while active.
  inactive_reason text,
  additional_fields_data json,
  primary key (tenant_id, id),
  constraint subscribers_address unique (tenant_id, address_key, owner_bu_id)
);
create index subscribers_newest on subscribers (tenant_id, created_at desc, id desc);
select tessera_isolate('subscribers');

-- How many subscribers a unit has: the total of a list that nothing narrows.
create table subscriber_counts (
  tenant_id uuid not null,
  owner_bu_id uuid not null,
  slot smallint not null,
  subscribers bigint not null,
  primary key (tenant_id, owner_bu_id, slot)
);
select tessera_isolate('subscriber_counts');

-- What somebody has chosen. Whoever chose nothing of a type is subscribed to it.
create table subscription_preferences (
  tenant_id uuid not null,
  subscriber_id uuid not null,
  subscription_type_id text not null,
  subscribed boolean not null,
  subscribed_date timestamptz not null,
  -- Null while subscribed.
  unsubscribed_date timestamptz,
  primary key (tenant_id, subscriber_id, subscription_type_id)
);
create index subscription_preferences_off on subscription_preferences (tenant_id, subscription_type_id, subscriber_id)
  where not subscribed;
select tessera_isolate('subscription_preferences');

-- What stands for the addresses of erased people on suppressions is made with this key: sealed under `<tenant>/suppressions`.
create table suppression_keys (
  tenant_id uuid primary key references tenants on delete cascade,
  key text not null
);
select tessera_isolate('suppression_keys');
