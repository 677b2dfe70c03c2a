-- planner: by keys
-- Renews the leases of claimed rows by `lease_seconds` from now, by the clock of the database. Returns for each claim
-- true if it was renewed, and false if another worker has claimed the row or somebody has ended the claim. A row that
-- is locked or gone is not returned: whoever has locked it keeps others from claiming it. `tenant`: see
-- tessera_tenant_sql.
create function tessera_renew_leases(
  tenant uuid, work_queue regclass, lease_seconds float8, tenants uuid[], ids uuid[], claims uuid[]
) returns table (id uuid, claim_id uuid, is_renewed boolean)
language plpgsql as $$ begin
  return query execute format($query$
    with given as materialized (
      select g.tenant_id, g.id, g.claim_id from unnest($2, $3, $4) as g (tenant_id, id, claim_id)
    ), held as materialized (
      select g.tenant_id, g.id, g.claim_id from given g cross join lateral (
        select from %1$s l where l.tenant_id = %2$s and l.id = g.id and l.claim_id = g.claim_id
        limit 1 for no key update skip locked) l
    ), renewed as (
      update %1$s w set due_at = $1 from held where w.tenant_id = %3$s and w.id = held.id
      returning w.id, w.claim_id
    )
    select r.id, r.claim_id, true from renewed r
    union all
    select g.id, g.claim_id, false from given g cross join lateral (
      select l.claim_id from %1$s l where l.tenant_id = %2$s and l.id = g.id limit 1) l
    where l.claim_id is distinct from g.claim_id$query$,
    work_queue, tessera_tenant_sql(tenant, 'g.tenant_id'), tessera_tenant_sql(tenant, 'held.tenant_id'))
  using clock_timestamp() + make_interval(secs => lease_seconds), tenants, ids, claims;
end $$;
