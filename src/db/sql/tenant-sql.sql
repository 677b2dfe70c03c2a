-- Returns SQL for the tenant of a row. In a statement for one tenant, it is a literal, by which a cluster finds the
-- tenant's node. In a statement for all tenants (`tenant` is null), it is the given expression.
create function tessera_tenant_sql(tenant uuid, expression text) returns text language sql immutable as $$
  select coalesce(quote_literal(tenant) || '::uuid', expression)
$$;
