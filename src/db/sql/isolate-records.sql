-- Isolates a table of records by tenant, with the same policy as the platform's tables (migrations/0001_baseline.sql,
-- src/db/sharding.ts). A cluster has a policy of its own, because its nodes accept none with a sub-select. The function
-- reads only catalogs: a restore may have locked the platform's tables.
create function tessera_isolate_records(target regclass) returns void language plpgsql as $$
declare
  is_sharded boolean := false;
begin
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    execute 'select exists (select from pg_dist_partition where logicalrelid = ''public.business_units''::regclass)'
    into is_sharded;
  end if;
  execute format('alter table %s enable row level security', target);
  execute format('drop policy if exists tenant_isolation on %s', target);
  execute format('create policy tenant_isolation on %s using (%s)', target, case when is_sharded
    then 'current_setting(''tessera.tenant'') in (tenant_id::text, ''*'')'
    else '(tenant_id = (select nullif(current_setting(''tessera.tenant''), ''*'')::uuid)) is not false' end);
end $$;
