-- Unsaved changes that members keep on the server, to continue them elsewhere or to show them to others.
create table drafts (
  tenant_id uuid not null,
  membership_id uuid not null,
  entity_type text not null,
  sort_key text not null,
  -- Version of the record that the changes began with; null for a new record.
  base_version integer,
  data json not null,
  is_shared boolean not null,
  saved_at timestamptz not null,
  primary key (tenant_id, membership_id, entity_type, sort_key)
);
select tessera_isolate('drafts');
create index drafts_by_sharing on drafts (tenant_id, entity_type, sort_key) where is_shared;
create index drafts_by_time on drafts (tenant_id, saved_at);
-- Drafts end with the membership.
alter table drafts add foreign key (tenant_id, membership_id) references memberships (tenant_id, membership_id)
  on delete cascade;
