-- Vector indexes: texts that are found by meaning and by their metadata.
create table ai_indexes (
  tenant_id uuid not null references tenants on delete cascade,
  name text not null,
  -- What its items name it by: one of the same name that is made later is another.
  id uuid not null,
  contents_description text not null,
  metadata_definition json not null,
  -- The model by which the vectors of all its items are made, but for those that a job is making anew.
  model text not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, name)
);
create index ai_indexes_newest on ai_indexes (tenant_id, created_at desc, name desc);
create unique index ai_indexes_id on ai_indexes (tenant_id, id);
select tessera_isolate('ai_indexes');

-- No foreign key: an index is gone at once, while its items go by portions.
create table ai_index_items (
  tenant_id uuid not null references tenants on delete cascade,
  index_id uuid not null,
  id text not null,
  input text not null,
  metadata jsonb not null,
  -- The model, and how many numbers its vectors have.
  model text not null,
  embedding real[] not null,
  updated_at timestamptz not null,
  primary key (tenant_id, index_id, id)
);
create index ai_index_items_by_model on ai_index_items (tenant_id, index_id, model);
select tessera_isolate('ai_index_items');
