-- Projects: what a site's models, documents, redirects and settings live in. Those have no foreign key to the project: it is gone
-- at once, while what it held goes by portions.
create table page_projects (
  tenant_id uuid not null references tenants on delete cascade,
  id text not null,
  owner_bu_id uuid not null,
  name text not null,
  description text not null,
  is_template boolean not null,
  template_id text,
  duplicated_from text,
  -- Counts the changes of its models: the version of a template.
  model_version int not null default 1,
  synced_template_version int,
  template_synced_at timestamptz,
  redirect_config json,
  preview_config json,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select tessera_isolate('page_projects');
create index page_projects_by_time on page_projects (tenant_id, created_at desc, id desc);

-- What lives under the id of a project that is not there: of one that was deleted, or of a copy in the making. It goes.
create table page_project_remains (
  tenant_id uuid not null,
  project_id text not null,
  -- When it was deleted, and by whom; history has both for each record.
  deleted_at timestamptz not null,
  actor json not null,
  primary key (tenant_id, project_id)
);
select tessera_isolate('page_project_remains');

-- Which models a project has from its template: of which version of the template's, and which version of its own that made.
create table page_synced_models (
  tenant_id uuid not null,
  project_id text not null,
  entity_type text not null,
  id text not null,
  template_version int not null,
  own_version int not null,
  primary key (tenant_id, project_id, entity_type, id)
);
select tessera_isolate('page_synced_models');

-- One record of settings per project; deleted with it, but not by a foreign key.
create table page_site_settings (
  tenant_id uuid not null references tenants on delete cascade,
  project_id text not null,
  owner_bu_id uuid not null,
  -- As they were written, but for what every record has.
  settings json not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, project_id)
);
select tessera_isolate('page_site_settings');

-- Unsaved states of documents, shown to whoever holds the token: of that only a digest is stored.
create table page_preview_snapshots (
  tenant_id uuid not null references tenants on delete cascade,
  project_id text not null,
  digest text not null,
  owner_bu_id uuid not null,
  document_id text not null,
  -- As the document was when the snapshot was taken; null: it had never been saved.
  document_model_id text,
  uid text,
  snapshot text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, project_id, digest)
);
select tessera_isolate('page_preview_snapshots');
create unique index page_preview_snapshots_by_digest on page_preview_snapshots (tenant_id, digest);
create index page_preview_snapshots_by_time on page_preview_snapshots (created_at);
