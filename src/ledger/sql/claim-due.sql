-- planner: by keys
-- Leases due rows, `counts` of each target, and returns them with the values of `columns`. Two callers never get the same
-- row while a lease holds.
create function tessera_claim_due(
  ledger regclass, columns text[], moment timestamptz, leased_until timestamptz, tenants uuid[], targets uuid[], counts int[]
) returns table (tenant_id uuid, id uuid, target_id uuid, attempts int, faults int, due_at timestamptz, "row" json)
language plpgsql as $$ begin
  return query execute format($query$
    with due as materialized (
      select d.tenant_id, d.id from unnest($3, $4, $5) as share (tenant_id, target_id, count)
      cross join lateral (
        select l.tenant_id, l.id from %1$s l
        where l.state = 'pending' and l.tenant_id = share.tenant_id and l.target_id = share.target_id
          and l.due_at <= $1
        order by l.due_at limit share.count for update skip locked) d
    )
    update %1$s w set due_at = $2 from due where w.tenant_id = due.tenant_id and w.id = due.id
    returning w.tenant_id, w.id, w.target_id, w.attempts, w.faults, w.due_at, %2$s$query$, ledger,
    coalesce((select 'json_build_object(' || string_agg(format('%1$L, w.%1$I', name), ', ') || ')'
      from unnest(columns) as name), 'null::json'))
  using moment, leased_until, tenants, targets, counts;
end $$;
