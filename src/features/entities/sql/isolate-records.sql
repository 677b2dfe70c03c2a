-- Puts a table of records under tenant isolation as this database has it for its own tables: the nodes of a cluster take
-- another policy than one server.
create function tessera_isolate_records(target regclass) returns void language plpgsql as $$
declare
  policy constant text = (
    select pg_get_expr(p.polqual, p.polrelid) from pg_policy p
    where p.polrelid = 'public.entities'::regclass and p.polname = 'tenant_isolation');
begin
  execute format('alter table %s enable row level security', target);
  execute format('drop policy if exists tenant_isolation on %s', target);
  execute format('create policy tenant_isolation on %s using (%s)', target, policy);
end $$;
