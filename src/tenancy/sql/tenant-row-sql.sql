-- Returns SQL that joins the one-row table `tenant_row` to an insert of computed rows for one tenant (tenant-row.ts).
-- Empty where one statement accesses all tenants (tessera_tenant_sql).
create function tessera_tenant_row_sql(tenant uuid) returns text language sql immutable as $$
  select case when tenant is null then '' else format('cross join (
    select u.tenant_id from business_units u where u.tenant_id = %L and u.is_default) tenant_row', tenant) end
$$;
