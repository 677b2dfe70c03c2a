-- Tables of entities in which something was made for a definition that is still to come; it is dropped where none comes.
create table entity_stagings (
  tenant_id uuid not null,
  entity text not null,
  -- When the last work on it began or ended.
  worked_at timestamptz not null,
  primary key (tenant_id, entity)
);
select tessera_isolate('entity_stagings');
