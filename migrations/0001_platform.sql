-- The ground: who may ask (tenants, users, memberships, grants, keys), in which business unit, and the history
-- that every versioned record leaves. tenant_id comes first in every key, so that tenants can be sharded.

-- An administrator may have made the role beforehand, for a database owner who may not create roles.
do $$ begin
  if not exists (select from pg_roles where rolname = 'tessera_app') then
    create role tessera_app nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  grant tessera_app to current_user;
exception when insufficient_privilege then null;
end $$;
grant usage on schema public to tessera_app;
alter default privileges in schema public grant select, insert, update, delete on tables to tessera_app;

-- Puts a table under tenant isolation. The subselects make PostgreSQL read the setting once per statement.
create function tessera_isolate(target regclass) returns void language plpgsql as $$ begin
  execute format('alter table %s enable row level security', target);
  execute format(
    'create policy tenant_isolation on %s using (
       tenant_id = (select nullif(current_setting(''tessera.tenant'', true), ''*'')::uuid)
       or (select current_setting(''tessera.tenant'', true)) = ''*'')', target);
end $$;

create table tenants (
  tenant_id uuid primary key,
  code text not null unique,
  name text not null,
  brand_settings json not null,
  created_at timestamptz not null
);
select tessera_isolate('tenants');

-- A person may belong to several tenants, so users are global; only the identity feature reads them.
create table users (
  user_id uuid primary key,
  email text not null,
  name text not null,
  password_hash text not null,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));

create table business_units (
  tenant_id uuid not null references tenants on delete cascade,
  bu_id uuid not null,
  name text not null,
  slug text not null,
  is_default boolean not null,
  archived_at timestamptz,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (tenant_id, bu_id),
  constraint business_units_slug unique (tenant_id, slug)
);
select tessera_isolate('business_units');

create table memberships (
  tenant_id uuid not null references tenants on delete cascade,
  membership_id uuid not null,
  user_id uuid not null references users,
  is_tenant_admin boolean not null,
  status text not null check (status in ('active', 'inactive')),
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (tenant_id, membership_id),
  constraint memberships_user unique (tenant_id, user_id)
);
create index memberships_by_user on memberships (user_id);
select tessera_isolate('memberships');

create table business_unit_grants (
  tenant_id uuid not null,
  id uuid not null,
  membership_id uuid not null,
  bu_id uuid not null,
  role text not null check (role in ('viewer', 'editor', 'admin')),
  version int not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint business_unit_grants_unit unique (tenant_id, membership_id, bu_id),
  foreign key (tenant_id, membership_id) references memberships on delete cascade,
  foreign key (tenant_id, bu_id) references business_units on delete cascade
);
select tessera_isolate('business_unit_grants');

create table api_keys (
  tenant_id uuid not null,
  id uuid not null,
  membership_id uuid not null,
  name text not null,
  prefix text not null,
  digest bytea not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, membership_id) references memberships on delete cascade
);
-- A request names only its key: 80 random bits, so not unique by constraint but in fact.
create index api_keys_by_prefix on api_keys (prefix);
select tessera_isolate('api_keys');

create table record_history (
  tenant_id uuid not null references tenants on delete cascade,
  entity_type text not null,
  sort_key text not null,
  version int not null,
  -- The last version of a deleted record appears twice: as a version and as the record that was deleted.
  deleted boolean not null,
  owner_bu_id uuid,
  recorded_at timestamptz not null,
  data json not null,
  primary key (tenant_id, entity_type, sort_key, version, deleted)
);
create index record_history_deleted on record_history (tenant_id, entity_type, recorded_at desc) where deleted;
select tessera_isolate('record_history');

create table idempotency_keys (
  tenant_id uuid not null,
  caller text not null,
  key text not null,
  fingerprint bytea not null,
  status int,
  answer text,
  leased_until timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, caller, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
select tessera_isolate('idempotency_keys');

-- A request knows its key but not yet its tenant, so these look-ups run as the owner, past tenant isolation.
create function tessera_find_caller(wanted_prefix text)
returns table (
  tenant_id uuid, key_id uuid, digest bytea, last_used_at timestamptz, membership_id uuid, user_id uuid,
  is_tenant_admin boolean, has_archived_units boolean, units json
) language plpgsql stable security definer set search_path = public as $$ begin
  return query
  select k.tenant_id, k.id, k.digest, k.last_used_at, m.membership_id, m.user_id, m.is_tenant_admin,
    exists (select from business_units a where a.tenant_id = k.tenant_id and a.archived_at is not null),
    (select coalesce(json_agg(json_build_object(
        'buId', u.bu_id, 'name', u.name, 'slug', u.slug, 'isDefault', u.is_default,
        'role', case when m.is_tenant_admin then 'admin' else g.role end
      ) order by u.is_default desc, u.created_at, u.bu_id), '[]'::json)
     from business_units u
     left join business_unit_grants g
       on g.tenant_id = u.tenant_id and g.membership_id = m.membership_id and g.bu_id = u.bu_id
     where u.tenant_id = k.tenant_id and u.archived_at is null and (m.is_tenant_admin or g.id is not null))
  from api_keys k
  join memberships m on m.tenant_id = k.tenant_id and m.membership_id = k.membership_id
  where k.prefix = wanted_prefix and k.revoked_at is null and m.status = 'active';
end $$;

-- UUIDv7 (RFC 9562) for rows that SQL itself makes: the 48-bit time in milliseconds, then random bits.
create function tessera_uuidv7(moment timestamptz) returns uuid language sql volatile as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from moment) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;
