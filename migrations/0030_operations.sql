-- Long-running work that a member started: imports, exports, changes of many records.
create table operations (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  kind text not null,
  -- The name of what it works on, such as a list; null: the kind says everything.
  title text,
  -- queued, running, completed, failed, cancelled.
  status text not null,
  done int not null,
  -- Null: unknown.
  total int,
  -- Results by name, such as {"created": 3}.
  counts json not null,
  -- [{line, column, key, message}], the first 1,000.
  problems json not null,
  -- Why it failed.
  error text,
  params json not null,
  -- Where the next part begins. It changes in the transaction of a part.
  state json not null,
  -- The unit in which the member acts; null: the whole tenant.
  unit_id uuid,
  -- The member who started it. Each part needs this member's present rights.
  membership_id uuid not null,
  active_unit_id uuid,
  -- Which of its jobs may do parts: each hands over to the next.
  turn int not null,
  -- Runs that broke.
  faults int not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- The operation that this one reverts, and the one that reverts this one.
  reverts uuid,
  reverted_by uuid,
  -- True if operation_changes has what it changed.
  has_changes boolean not null,
  primary key (tenant_id, id)
);
select tessera_isolate('operations');
create index operations_newest on operations (tenant_id, created_at desc, id desc);
create index operations_of_member on operations (tenant_id, membership_id, created_at desc, id desc);
create index operations_by_kind on operations (tenant_id, kind, created_at desc, id desc);
create index operations_by_status on operations (tenant_id, status, created_at desc, id desc);

-- Subscriber imports are operations: what they share with others moves there.
insert into operations (tenant_id, id, kind, title, status, done, total, counts, problems, error, params, state,
  unit_id, membership_id, active_unit_id, turn, faults, created_at, finished_at, reverts, reverted_by, has_changes)
  select tenant_id, id, 'subscriber_import', null, status, created + updated + failed, total,
  ('{"created":' || created || ',"updated":' || updated || ',"failed":' || failed || '}')::json, errors,
  case when status = 'failed' then 'It stopped early; its last error says why.' end,
  ('{"mode":"' || mode || '","list_id":' || coalesce('"' || list_id || '"', 'null')
    || ',"parts":' || parts || '}')::json,
  ('{"part":' || applied || '}')::json,
  owner_bu_id, (caller ->> 'membershipId')::uuid, (caller ->> 'activeUnitId')::uuid, turn, faults, created_at,
  case when status in ('completed', 'failed') then created_at end, null, null, false
  from subscriber_imports;
alter table subscriber_imports drop column caller;
alter table subscriber_imports drop column status;
alter table subscriber_imports drop column total;
alter table subscriber_imports drop column created;
alter table subscriber_imports drop column updated;
alter table subscriber_imports drop column failed;
alter table subscriber_imports drop column errors;
alter table subscriber_imports drop column parts;
alter table subscriber_imports drop column applied;
alter table subscriber_imports drop column turn;
alter table subscriber_imports drop column faults;

-- So are exports.
insert into operations (tenant_id, id, kind, title, status, done, total, counts, problems, error, params, state,
  unit_id, membership_id, active_unit_id, turn, faults, created_at, finished_at, reverts, reverted_by, has_changes)
  select tenant_id, id, 'export', report_type, case status when 'mailed' then 'completed' else status end,
  coalesce(rows, 0)::int, null, '{}', '[]', error, '{}', '{}', null, membership_id, null, 0, 0, created_at,
  finished_at, null, null, false
  from report_exports;
