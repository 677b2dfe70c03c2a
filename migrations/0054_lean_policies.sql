-- The policies of tenants ask for the session's tenant once instead of twice, as each statement sets that up for each of its tables
-- (docs/decisions/0003-tenant-setting-sent-on-change.md). The comparison is null, and so not false, for every tenant ('*')
-- alone, and under no tenant it fails. Those of a cluster have no sub-select (sharding.ts), and tables of records that are
-- there keep theirs, which let pass the same rows.
do $$ declare
  lean constant text := '(tenant_id = (select nullif(current_setting(''tessera.tenant''), ''*'')::uuid)) is not false';
  present regclass;
begin
  for present in
    select p.polrelid from pg_policy p join pg_class c on c.oid = p.polrelid
    where p.polname = 'tenant_isolation' and c.relnamespace = 'public'::regnamespace
      and pg_get_expr(p.polqual, p.polrelid) ilike '%nullif%'
  loop
    execute format('alter policy tenant_isolation on %s using (%s)', present, lean);
  end loop;
  -- Of tables that are made from now on.
  execute regexp_replace(pg_get_functiondef('tessera_isolate(regclass)'::regprocedure),
    'tenant_id = \(select nullif.*''\*''''', replace(lean, '''', ''''''));
end $$;
