-- Imports of subscribers: a file is staged whole, in parts, and then applied part by part.

create table subscriber_imports (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  -- The unit of those of its subscribers that name none.
  owner_bu_id uuid not null,
  created_at timestamptz not null,
  mode text not null,
  -- Whoever is imported joins it; null: nobody joins more than its row says.
  list_id uuid,
  -- Who called, with what they could reach then: rows are written as theirs.
  caller json not null,
  status text not null,
  total int not null,
  created int not null,
  updated int not null,
  failed int not null,
  -- [{line, message}], the first 1,000.
  errors json not null,
  parts int not null,
  -- How many of the parts are applied. It changes in the transaction that applies one.
  applied int not null,
  -- Which of its jobs may apply: each hands over to the next.
  turn int not null,
  -- Runs that broke.
  faults int not null,
  primary key (tenant_id, id)
);
create index subscriber_imports_newest on subscriber_imports (tenant_id, created_at desc, id desc);
select tessera_isolate('subscriber_imports');

-- Rows that are not applied yet, as they arrived. A part goes with the transaction that applies it.
create table subscriber_import_parts (
  tenant_id uuid not null references tenants on delete cascade,
  import_id uuid not null,
  part int not null,
  -- {columns, rows}
  content json not null,
  primary key (tenant_id, import_id, part)
);
select tessera_isolate('subscriber_import_parts');
