-- SQL that joins one row to what a statement inserts for one tenant, `home`: an insert of computed rows finds its node by the
-- tenant of a table that is there. Nothing where one statement reaches all tenants (tessera_tenant_sql).
create function tessera_home_sql(tenant uuid) returns text language sql immutable as $$
  select case when tenant is null then '' else format('cross join (
    select u.tenant_id from business_units u where u.tenant_id = %L and u.is_default) home', tenant) end
$$;
