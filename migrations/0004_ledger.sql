-- The ledger's statements, for any table with its columns, as functions that plan for their indexes whatever the
-- statistics say: the embedded database never gathers any, and a plan that was made while a table was empty would
-- go on reading all of it. So they plan anew each time (`execute`), with the scans and joins switched off that read
-- whole tables, and find rows by nothing but their keys. Measured with 500 targets of 10 rows each: a look for due
-- rows 1200 ms otherwise, 4 ms so. They run with the caller's rights, under tenant isolation.

-- Up to `tenant_page` tenants with waiting rows after `after_tenant`, and for each its targets with due rows (none:
-- one row without a target). `known` tenants begin after a target and have their own number of places. A loose index
-- scan: the cost follows the number of targets, never the length of a backlog.
create function tessera_due_targets(
  ledger regclass, moment timestamptz, per_target int, per_tenant int, after_tenant uuid, tenant_page int,
  known_tenants uuid[], known_after uuid[], known_places int[]
) returns table (tenant_id uuid, target_id uuid, due int, step int)
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off
set enable_mergejoin = off set enable_material = off set jit = off as $$ begin
  return query execute format($query$
    with recursive tenants as (
      (select l.tenant_id, 1 as step from %1$s l
       where l.state = 'pending' and l.tenant_id > $4 order by l.tenant_id limit 1)
      union all
      select next.tenant_id, t.step + 1 from tenants t cross join lateral (
        select l.tenant_id from %1$s l
        where l.state = 'pending' and l.tenant_id > t.tenant_id order by l.tenant_id limit 1) next
      where t.step < $5
    )
    select t.tenant_id, found.target_id, found.due, t.step
    from tenants t
    left join unnest($6, $7, $8) as known (tenant_id, after, places) on known.tenant_id = t.tenant_id
    left join lateral (
      with recursive targets as (
        (select l.target_id, l.due_at from %1$s l
         where l.state = 'pending' and l.tenant_id = t.tenant_id
           and l.target_id > coalesce(known.after, '00000000-0000-0000-0000-000000000000')
         order by l.target_id, l.due_at limit 1)
        union all
        select next.target_id, next.due_at from targets p cross join lateral (
          select l.target_id, l.due_at from %1$s l
          where l.state = 'pending' and l.tenant_id = t.tenant_id and l.target_id > p.target_id
          order by l.target_id, l.due_at limit 1) next
      )
      select p.target_id, (
        select count(*)::int from (
          select from %1$s l where l.state = 'pending' and l.tenant_id = t.tenant_id
            and l.target_id = p.target_id and l.due_at <= $1 limit $2) counted) as due
      from targets p where p.due_at <= $1 limit coalesce(known.places, $3)) found on true
    order by t.step, found.target_id$query$, ledger)
  using moment, per_target, per_tenant, after_tenant, tenant_page, known_tenants, known_after, known_places;
end $$;

-- Leases due rows, `counts` of each target. Two callers never get the same row while a lease holds.
create function tessera_claim_due(
  ledger regclass, moment timestamptz, leased_until timestamptz, tenants uuid[], targets uuid[], counts int[]
) returns table (tenant_id uuid, id uuid, target_id uuid, attempts int, due_at timestamptz)
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off
set enable_mergejoin = off set enable_material = off set jit = off as $$ begin
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
    returning w.tenant_id, w.id, w.target_id, w.attempts, w.due_at$query$, ledger)
  using moment, leased_until, tenants, targets, counts;
end $$;

-- Writes outcomes: `ended` [{tenant_id, id, leased_until, state, due_at, status_code, error}] and `dropped`
-- [{tenant_id, id, leased_until}]. A row whose lease was lost is left as it is.
create function tessera_settle(ledger regclass, ended json, dropped json) returns void
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off
set enable_mergejoin = off set enable_material = off set jit = off as $$ begin
  execute format($query$
    with held as materialized (
      select s.* from json_to_recordset($1) as s (tenant_id uuid, id uuid, leased_until timestamptz,
        state text, due_at timestamptz, status_code int, error text)
      cross join lateral (
        select l.state, l.due_at from %1$s l
        where l.tenant_id = s.tenant_id and l.id = s.id limit 1 for update) l
      where l.state = 'pending' and l.due_at = s.leased_until
    )
    update %1$s w set state = held.state, due_at = held.due_at, attempts = w.attempts + 1,
      last_status_code = held.status_code, last_error = held.error
    from held where w.tenant_id = held.tenant_id and w.id = held.id$query$, ledger) using ended;
  if json_array_length(dropped) > 0 then
    execute format($query$
      with held as materialized (
        select s.* from json_to_recordset($1) as s (tenant_id uuid, id uuid, leased_until timestamptz)
        cross join lateral (
          select l.state, l.due_at from %1$s l
          where l.tenant_id = s.tenant_id and l.id = s.id limit 1 for update) l
        where l.state = 'pending' and l.due_at = s.leased_until
      )
      delete from %1$s w using held where w.tenant_id = held.tenant_id and w.id = held.id$query$, ledger)
    using dropped;
  end if;
end $$;

-- What the attempts of webhook deliveries need. A submission's key becomes text before it meets the history: with
-- the cast inside the condition, tenant isolation would keep the index from being used.
create function tessera_load_deliveries(tenants uuid[], ids uuid[])
returns table (delivery_id uuid, webhook_id uuid, url text, headers json, record text)
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off
set enable_mergejoin = off set enable_material = off set jit = off as $$ begin
  return query execute $query$
    with wanted as materialized (
      select d.tenant_id, d.id, d.target_id, d.submission_id::text as submission_key
      from unnest($1, $2) as claimed (tenant_id, id)
      cross join lateral (
        select d.tenant_id, d.id, d.target_id, d.submission_id from webhook_deliveries d
        where d.tenant_id = claimed.tenant_id and d.id = claimed.id limit 1) d
    )
    select wanted.id, w.id, w.url, w.headers, latest.data::text
    from wanted
    cross join lateral (
      select w.id, w.url, w.headers, w.active from webhooks w
      where w.tenant_id = wanted.tenant_id and w.id = wanted.target_id limit 1) w
    cross join lateral (
      select h.data, h.deleted from record_history h
      where h.tenant_id = wanted.tenant_id and h.entity_type = 'form_submission'
        and h.sort_key = wanted.submission_key
      order by h.version desc, h.deleted desc limit 1) latest
    where w.active and not latest.deleted$query$
  using tenants, ids;
end $$;

-- Notes the last attempt to each of some webhooks. Rows are locked in the order given, which is that of their keys,
-- so that workers that settle at the same time cannot block each other for good.
create function tessera_note_attempts(tenants uuid[], ids uuid[], moments timestamptz[], statuses text[])
returns void language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off
set enable_mergejoin = off set enable_material = off set jit = off as $$ begin
  execute $query$
    with locked as materialized (
      select w.tenant_id, w.id, noted.moment, noted.status
      from unnest($1, $2, $3, $4) as noted (tenant_id, id, moment, status)
      cross join lateral (
        select w.tenant_id, w.id from webhooks w
        where w.tenant_id = noted.tenant_id and w.id = noted.id limit 1 for update) w
    )
    update webhooks w set last_attempt_at = locked.moment, last_attempt_status = locked.status
    from locked where w.tenant_id = locked.tenant_id and w.id = locked.id
      and (w.last_attempt_at is null or w.last_attempt_at <= locked.moment)$query$
  using tenants, ids, moments, statuses;
end $$;
