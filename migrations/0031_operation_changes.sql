-- The records that an operation has changed, with their versions before (null: it was created) and after. History has
-- the versions themselves.
create table operation_changes (
  tenant_id uuid not null references tenants on delete cascade,
  operation_id uuid not null,
  record_key text not null,
  before int,
  after int not null,
  primary key (tenant_id, operation_id, record_key)
);
select tessera_isolate('operation_changes');
