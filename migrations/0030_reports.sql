-- Exports that were asked for, and their files.

create table report_exports (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  created_at timestamptz not null,
  -- Who asked; nobody else but owners of the tenant is told of it.
  membership_id uuid not null,
  -- The unit that the mail belongs to.
  mail_bu_id uuid not null,
  receiver_email text not null,
  report_type text not null,
  filters json not null,
  -- The units that the caller could read; null: all.
  unit_ids json,
  -- queued, running, mailed, failed: a mail has a status of its own.
  status text not null,
  attempts int not null default 0,
  rows bigint,
  -- Of the file as it is sent; null without one.
  file_bytes bigint,
  finished_at timestamptz,
  error text,
  primary key (tenant_id, id)
);
create index report_exports_oldest on report_exports (tenant_id, created_at);
select tessera_isolate('report_exports');

-- The files of exports in parts, each compressed (gzip). Those of the attempt that an export has come to are its file.
create table report_parts (
  tenant_id uuid not null,
  export_id uuid not null,
  attempt int not null,
  part int not null,
  data bytea not null,
  primary key (tenant_id, export_id, attempt, part)
);
-- It is compressed already.
alter table report_parts alter column data set storage external;
select tessera_isolate('report_parts');
alter table report_parts add foreign key (tenant_id, export_id) references report_exports on delete cascade;
