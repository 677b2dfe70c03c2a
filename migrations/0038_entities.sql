-- The kinds of record that tenants define. Their records are in tables of a schema for each tenant, which are made with them.
create table entities (
  tenant_id uuid not null references tenants on delete cascade,
  name text not null,
  label text,
  owned_by text not null check (owned_by in ('tenant', 'business_unit')),
  fields json not null,
  workflow json,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, name)
);
create index entities_by_time on entities (tenant_id, created_at desc, name desc);
select tessera_isolate('entities');
