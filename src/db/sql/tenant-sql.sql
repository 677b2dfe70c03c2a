-- SQL for the tenant of a row in a statement that serves several tenants: the one tenant that it is for, as a literal by which
-- its node is found, or, where one statement reaches those of all, the expression that it is given.
create function tessera_tenant_sql(tenant uuid, expression text) returns text language sql immutable as $$
  select coalesce(quote_literal(tenant) || '::uuid', expression)
$$;
