-- planner: by keys, plans kept
-- Leases due rows of a work queue's table, `counts` per target, and returns them with the values of `columns`. `rows`
-- is the table, or a view of the work queue's rows. Columns in `large` are null if they exceed 4 KiB together, because
-- many claims are in memory at once; `left_out` is then their size in bytes, otherwise 0. A row is not claimed again
-- while its lease lasts. `moment` decides which rows are due, the clock of the database which leases have ended.
-- `previous` is the claim of a lease that has ended. `tenant`: see tessera_tenant_sql, `ordered`: see
-- tessera_work_queue_turn.
create function tessera_claim_due(
  tenant uuid, work_queue regclass, rows regclass, columns text[], large text[], moment timestamptz, lease_seconds float8,
  claim uuid, tenants uuid[], targets uuid[], counts int[], ordered boolean
) returns table (tenant_id uuid, id uuid, target_id uuid, attempts int, faults int, previous uuid, "row" json)
language plpgsql as $$ declare
  statement text;
  clock timestamptz := clock_timestamp();
  leased_until timestamptz := clock + make_interval(secs => lease_seconds);
  size_sql text := (select string_agg(format('coalesce(octet_length(w.%I::text), 0)', name), ' + ') from unnest(large) as name);
  is_small text := '(' || size_sql || ') <= 4096';
  -- Computed on the node of the rows, and converted to JSON on the node that returns them.
  computed text := (select string_agg(case when name = any(large)
      then format(', case when %2$s then w.%1$I end as %3$I', name, is_small, 'row_' || name)
      else format(', w.%1$I as %2$I', name, 'row_' || name) end, '') from unnest(columns) as name)
    || coalesce(', case when ' || is_small || ' then 0 else ' || size_sql || ' end as row_left_out', '');
  members text := (select string_agg(format('%1$L, c.%2$I', name, 'row_' || name), ', ')
    from unnest(columns || case when size_sql is null then '{}' else '{left_out}'::text[] end) as name);
begin
  statement := format($query$
    with due as materialized (
      select d.tenant_id, d.id, d.claim_id from unnest($3, $4, $5) as share (tenant_id, target_id, count)
      cross join lateral (
        select l.tenant_id, l.id, l.claim_id from %6$s l
        where l.state = 'pending' and l.tenant_id = %4$s and l.target_id = share.target_id
          and l.due_at <= greatest($1, $6) and l.due_at <= case when l.claim_id is null then $1 else $6 end%7$s
        order by l.due_at limit share.count for update skip locked) d
    ), claimed as (
      update %1$s w set due_at = $2, claim_id = $7 from due where w.tenant_id = %5$s and w.id = due.id
      returning w.tenant_id, w.id, w.target_id, w.attempts, w.faults, due.claim_id as previous %2$s
    )
    select c.tenant_id, c.id, c.target_id, c.attempts, c.faults, c.previous, %3$s from claimed c$query$,
    work_queue, coalesce(computed, ''), coalesce('json_build_object(' || members || ')', 'null::json'),
    tessera_tenant_sql(tenant, 'share.tenant_id'), tessera_tenant_sql(tenant, 'due.tenant_id'), rows,
    tessera_work_queue_turn(tenant, work_queue, ordered));
  if tenant is null then
    return query execute tessera_kept_plan(statement, 'timestamptz, timestamptz, uuid[], uuid[], int[], timestamptz, uuid',
      format('%L, %L, %L, %L, %L, %L, %L', moment, leased_until, tenants, targets, counts, clock, claim), array[work_queue]);
  else
    return query execute statement using moment, leased_until, tenants, targets, counts, clock, claim;
  end if;
end $$;
