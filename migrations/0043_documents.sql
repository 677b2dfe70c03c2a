-- The documents of projects. Their projects are not referred to: what a deleted project held is deleted in portions.
create table documents (
  tenant_id uuid not null references tenants on delete cascade,
  project_id text not null,
  id text not null,
  owner_bu_id uuid not null,
  document_model_id text not null,
  uid text not null,
  name text not null,
  status text not null,
  -- Nobody looks into it.
  data text not null,
  created_by_id uuid,
  updated_by_id uuid,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, project_id, id),
  constraint documents_uid unique (tenant_id, project_id, document_model_id, uid)
);
-- Lists are counted by the index that narrows them, for members of single units too.
create index documents_newest on documents (tenant_id, project_id, created_at desc, id desc) include (owner_bu_id);
create index documents_of_model on documents (tenant_id, project_id, document_model_id, created_at desc, id desc)
  include (owner_bu_id, status);
create index documents_by_status on documents (tenant_id, project_id, status, created_at desc, id desc)
  include (owner_bu_id);
create index documents_by_uid on documents (tenant_id, project_id, uid, created_at desc, id desc);
create index documents_changed on documents (tenant_id, project_id, updated_at);
select tessera_isolate('documents');

-- What documents are found by: every run of one to three characters of name and uid, each as a number that belongs to the
-- project. An index is made of it: it must never give anything else.
create function tessera_document_keys(tenant uuid, project text, name text, uid text) returns bigint[]
language plpgsql immutable parallel safe cost 1000 as $$
declare
  seed constant uuid := md5(tenant::text || project)::uuid;
  searched constant text := lower(name || E'\n' || uid);
begin
  return public.tessera_text_keys(seed, searched, 1) || public.tessera_text_keys(seed, searched, 2)
    || public.tessera_text_keys(seed, searched, 3);
end $$;

-- New rows wait in a short list until they are sorted in: a search reads all of that, and the planner avoids a long one.
create index documents_keys on documents using gin (tessera_document_keys(tenant_id, project_id, name, uid))
  with (gin_pending_list_limit = 128);
