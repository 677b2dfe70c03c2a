-- `suspended`: nobody calls, nothing is sent; `deleting`: gone for everybody, its rows are being removed.
alter table tenants add column status text not null default 'active';
alter table tenants add constraint tenants_status_check check (status in ('active', 'suspended', 'deleting'));
