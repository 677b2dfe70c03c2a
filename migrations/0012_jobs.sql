-- Background jobs are a ledger. The platform's own have the greatest uuid for a tenant; a schedule is one row, whose id is its
-- kind's, and which becomes due again.
create table jobs (
  tenant_id uuid not null,
  id uuid not null,
  -- The kind of job: md5 of its name.
  target_id uuid not null,
  state text not null,
  due_at timestamptz not null,
  attempts int not null,
  last_error text,
  name text not null,
  payload json not null,
  -- What the first attempt waits for; of a schedule its next time.
  planned_at timestamptz not null,
  primary key (tenant_id, id)
);
create index jobs_due on jobs (tenant_id, target_id, due_at) where state = 'pending';
select tessera_isolate('jobs');

-- What an earlier version left to pg-boss: all but the schedules, which start anew.
do $$ begin
  if to_regclass('pgboss.job') is not null then
    insert into jobs (tenant_id, id, target_id, state, due_at, attempts, name, payload, planned_at)
    select (data ->> 'tenantId')::uuid, id, md5(name)::uuid, 'pending', start_after, 0, name, data::json, start_after
    from pgboss.job where state::text in ('created', 'retry', 'active') and data ->> 'tenantId' is not null;
  end if;
end $$;
drop schema if exists pgboss cascade;
