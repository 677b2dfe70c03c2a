-- Views of lists that members save: search, conditions, order and columns, as the address of a screen names them.
create table views (
  tenant_id uuid not null,
  id uuid not null,
  -- Null: the author has left, and the view was shared.
  membership_id uuid,
  screen text not null,
  name text not null,
  query text not null,
  is_shared boolean not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select tessera_isolate('views');
create index views_by_member on views (tenant_id, membership_id, screen);
create index views_by_sharing on views (tenant_id, screen) where is_shared;
-- Private views end with the membership.
alter table views add foreign key (tenant_id, membership_id) references memberships (tenant_id, membership_id)
  on delete cascade;
