-- planner: by keys
-- Notes the last attempt to each of some webhooks. Rows are locked in the order of their keys, so that workers that settle
-- at the same time cannot block each other for good.
create function tessera_note_attempts(tenants uuid[], ids uuid[], moments timestamptz[], statuses text[])
returns void language plpgsql as $$ begin
  execute $query$
    with locked as materialized (
      select w.tenant_id, w.id, noted.moment, noted.status
      from (
        select distinct on (n.tenant_id, n.id) n.* from unnest($1, $2, $3, $4) as n (tenant_id, id, moment, status)
        order by n.tenant_id, n.id, n.moment desc) noted
      cross join lateral (
        select w.tenant_id, w.id from webhooks w
        where w.tenant_id = noted.tenant_id and w.id = noted.id limit 1 for update) w
    )
    update webhooks w set last_attempt_at = locked.moment, last_attempt_status = locked.status
    from locked where w.tenant_id = locked.tenant_id and w.id = locked.id
      and (w.last_attempt_at is null or w.last_attempt_at <= locked.moment)$query$
  using tenants, ids, moments, statuses;
end $$;
