-- Files and pictures of a tenant; their bytes are in the storage, under tenant and id.
create table assets (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  name text not null,
  folder text not null,
  alt text,
  tags json not null,
  -- Told by the bytes.
  mime_type text not null,
  size int not null,
  -- Of pictures, as they are shown.
  width int,
  height int,
  sha256 text not null,
  -- How many other sizes and formats the storage has of it.
  variants int not null default 0,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index assets_newest on assets (tenant_id, created_at desc, id desc);
create index assets_by_folder on assets (tenant_id, folder, created_at desc, id desc);
-- A public address names no tenant.
create index assets_by_id on assets (id);
select tessera_isolate('assets');

-- Files that the storage may have and nobody needs: of uploads under way, unless they end well, and of assets that were deleted.
create table asset_removals (
  tenant_id uuid not null references tenants on delete cascade,
  asset_id uuid not null,
  due_at timestamptz not null,
  -- How often it was begun.
  attempts int not null,
  primary key (tenant_id, asset_id)
);
create index asset_removals_due on asset_removals (due_at);
select tessera_isolate('asset_removals');
