-- planner: by keys
-- Leases due rows, `counts` of each target, and returns them with the values of `columns`. Those of `large` are left out when
-- they are too large together to be held with those of many rows; `left_out` tells how many octets they have then, else 0.
-- Two callers never get the same row while a lease holds. `tenant`: see tessera_tenant_sql.
create function tessera_claim_due(
  tenant uuid, ledger regclass, columns text[], large text[], moment timestamptz, leased_until timestamptz,
  tenants uuid[], targets uuid[], counts int[]
) returns table (tenant_id uuid, id uuid, target_id uuid, attempts int, faults int, due_at timestamptz, "row" json)
language plpgsql as $$ declare
  octets text := (select string_agg(format('coalesce(octet_length(w.%I::text), 0)', name), ' + ') from unnest(large) as name);
  is_small text := '(' || octets || ') <= 4096';
  members text := (select string_agg(case when name = any(large)
      then format('%1$L, case when %2$s then w.%1$I end', name, is_small) else format('%1$L, w.%1$I', name) end, ', ')
    from unnest(columns) as name) || coalesce(', ''left_out'', case when ' || is_small || ' then 0 else ' || octets || ' end', '');
begin
  return query execute format($query$
    with due as materialized (
      select d.tenant_id, d.id from unnest($3, $4, $5) as share (tenant_id, target_id, count)
      cross join lateral (
        select l.tenant_id, l.id from %1$s l
        where l.state = 'pending' and l.tenant_id = %3$s and l.target_id = share.target_id
          and l.due_at <= $1
        order by l.due_at limit share.count for update skip locked) d
    )
    update %1$s w set due_at = $2 from due where w.tenant_id = %4$s and w.id = due.id
    returning w.tenant_id, w.id, w.target_id, w.attempts, w.faults, w.due_at, %2$s$query$, ledger,
    coalesce('json_build_object(' || members || ')', 'null::json'),
    tessera_tenant_sql(tenant, 'share.tenant_id'), tessera_tenant_sql(tenant, 'due.tenant_id'))
  using moment, leased_until, tenants, targets, counts;
end $$;
