-- Makes the schema of a tenant's entities unless it is there. Beside their tables it has the totals of records: of each entity,
-- and by unit of those whose records units own. A total is spread over slots, so that writers seldom wait for each other.
create function tessera_open_entity_schema(name text, app_role text) returns void language plpgsql as $$ begin
  if to_regnamespace(quote_ident(name)) is not null then return; end if;
  execute format('create schema %1$I; grant usage on schema %1$I to %2$I', name, app_role);
  execute format('create table %I._totals (tenant_id uuid not null, entity text not null, slot int not null,
    records bigint not null, primary key (tenant_id, entity, slot))', name);
  execute format('create table %I._unit_totals (tenant_id uuid not null, entity text not null, owner_bu_id uuid not null,
    slot int not null, records bigint not null, primary key (tenant_id, entity, owner_bu_id, slot))', name);
  perform public.tessera_isolate_records(format('%I._totals', name)::regclass);
  perform public.tessera_isolate_records(format('%I._unit_totals', name)::regclass);
  execute format('grant select, insert, update, delete on %1$I._totals, %1$I._unit_totals to %2$I', name, app_role);
end $$;
