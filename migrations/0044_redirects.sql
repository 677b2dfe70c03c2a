-- The redirects of projects. Their projects are not referred to: what a deleted project held is deleted in portions.
create table page_redirects (
  tenant_id uuid not null references tenants on delete cascade,
  project_id text not null,
  id uuid not null,
  owner_bu_id uuid not null,
  source_domain text not null,
  rule_type text not null check (rule_type in ('static', 'prefix', 'regex')),
  source_url_path text,
  target_url text,
  source_pattern text,
  target_pattern text,
  redirect_type text not null check (redirect_type in ('301', '302', '308')),
  priority double precision not null,
  is_active boolean not null,
  is_external boolean not null,
  -- Of a static rule, a digest of domain and path in the form in which they are compared.
  source_digest text,
  -- Of a regular expression, the steps of its program.
  program_size int not null,
  -- What the rule takes in a process that keeps it.
  octets int not null,
  -- Which change of the project's rules wrote it last.
  changed_in int not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, project_id, id),
  constraint page_redirects_source unique (tenant_id, project_id, source_digest)
);
create index page_redirects_newest on page_redirects (tenant_id, project_id, created_at desc, id desc)
  include (owner_bu_id, source_domain, rule_type, redirect_type, is_active);
create index page_redirects_changes on page_redirects (tenant_id, project_id, changed_in, id);
select tessera_isolate('page_redirects');

-- The rules of a project as a whole. Every write of one counts here, so that processes know what of them they have.
create table page_redirect_sets (
  tenant_id uuid not null references tenants on delete cascade,
  project_id text not null,
  -- Another one for each project that ever had the id.
  epoch uuid not null,
  changes int not null,
  -- The last of these that was a deletion.
  removed_in int not null,
  rules int not null,
  program_size int not null,
  octets int not null,
  primary key (tenant_id, project_id)
);
select tessera_isolate('page_redirect_sets');
