-- What came of imports of suppressions, which are done when they are answered.
create table suppression_imports (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  created_at timestamptz not null,
  total int not null,
  created int not null,
  failed int not null,
  -- [{line, message}], the first 1,000.
  errors json not null,
  primary key (tenant_id, id)
);
create index suppression_imports_newest on suppression_imports (tenant_id, created_at desc, id desc);
select tessera_isolate('suppression_imports');
