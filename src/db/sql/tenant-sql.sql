-- Returns SQL for the tenant of a row in a statement that may serve several tenants: the only tenant as a literal, which selects its
-- node, or, for all tenants, the given expression.
create function tessera_tenant_sql(tenant uuid, expression text) returns text language sql immutable as $$
  select coalesce(quote_literal(tenant) || '::uuid', expression)
$$;
