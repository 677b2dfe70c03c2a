-- Returns SQL that joins the one-row table `home` to an insert for one tenant: an insert of computed rows finds its
-- node by the tenant of an existing table. Empty where one statement accesses all tenants (tessera_tenant_sql).
create function tessera_home_sql(tenant uuid) returns text language sql immutable as $$
  select case when tenant is null then '' else format('cross join (
    select u.tenant_id from business_units u where u.tenant_id = %L and u.is_default) home', tenant) end
$$;
