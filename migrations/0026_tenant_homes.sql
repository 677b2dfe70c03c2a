-- The one Default unit of a tenant: what inserts are joined with (src/tenancy/tenant-home.ts).
create unique index business_units_default on business_units (tenant_id) where is_default;
