-- planner: by keys, plans kept
-- The SQL functions of work queues serve any table with a work queue's columns. They run with the caller's rights,
-- under row-level security.
--
-- Returns up to `tenant_page` tenants with waiting rows after `after_tenant`, each with its targets that have due rows
-- (none: one row without a target). `known` tenants start after a target and have their own limit of targets. A loose
-- index scan: the cost depends on the number of targets, not on the length of a backlog. In an ordered work queue it
-- also scans rows that wait for the first of their record. `moment` decides which rows are due, the clock of the
-- database which leases have ended. With a `tenant` (tessera_tenant_sql), only that tenant is read. `rows` is the table
-- of the work queue, or a view of its rows. `ordered`: see tessera_work_queue_turn.
create function tessera_due_targets(
  tenant uuid, work_queue regclass, rows regclass, moment timestamptz, per_target int, per_tenant int, after_tenant uuid, tenant_page int,
  known_tenants uuid[], known_after uuid[], max_targets int[], ordered boolean
) returns table (tenant_id uuid, target_id uuid, due int, step int)
language plpgsql as $$
declare
  statement text;
  clock timestamptz := clock_timestamp();
  visited text := coalesce('select ' || quote_literal(tenant) || '::uuid as tenant_id, 1 as step', format($query$
    (select l.tenant_id, 1 as step from %1$s l
     where l.state = 'pending' and l.tenant_id > $4 order by l.tenant_id limit 1)
    union all
    select next.tenant_id, t.step + 1 from tenants t cross join lateral (
      select l.tenant_id from %1$s l
      where l.state = 'pending' and l.tenant_id > t.tenant_id order by l.tenant_id limit 1) next
    where t.step < $5$query$, rows));
begin
  statement := format($query$
    with recursive tenants as (%2$s)
    select t.tenant_id, found.target_id, found.due, t.step
    from tenants t
    left join unnest($6, $7, $8) as known (tenant_id, after, max_targets) on known.tenant_id = t.tenant_id
    left join lateral (
      with recursive targets as (
        (select l.target_id, l.due_at from %1$s l
         where l.state = 'pending' and l.tenant_id = %3$s%4$s
           and l.target_id > coalesce(known.after, '00000000-0000-0000-0000-000000000000')
         order by l.target_id, l.due_at limit 1)
        union all
        select next.target_id, next.due_at from targets p cross join lateral (
          select l.target_id, l.due_at from %1$s l
          where l.state = 'pending' and l.tenant_id = %3$s and l.target_id > p.target_id%4$s
          order by l.target_id, l.due_at limit 1) next
      )
      select p.target_id, (
        select count(*)::int from (
          select from %1$s l where l.state = 'pending' and l.tenant_id = %3$s
            and l.target_id = p.target_id and l.due_at <= greatest($1, $9)
            and l.due_at <= case when l.claim_id is null then $1 else $9 end%4$s limit $2) counted) as due
      from targets p where p.due_at <= greatest($1, $9) limit coalesce(known.max_targets, $3)) found on true
    order by t.step, found.target_id$query$, rows, visited, tessera_tenant_sql(tenant, 't.tenant_id'),
    tessera_work_queue_turn(tenant, work_queue, ordered));
  if tenant is null then
    return query execute tessera_kept_plan(statement, 'timestamptz, int, int, uuid, int, uuid[], uuid[], int[], timestamptz',
      format('%L, %L, %L, %L, %L, %L, %L, %L, %L', moment, per_target, per_tenant, after_tenant, tenant_page, known_tenants,
        known_after, max_targets, clock), array[work_queue]);
  else
    return query execute statement
    using moment, per_target, per_tenant, after_tenant, tenant_page, known_tenants, known_after, max_targets, clock;
  end if;
end $$;
