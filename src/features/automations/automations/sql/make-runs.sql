-- planner: by keys
-- Creates runs in the order of `requests`: [{id, target_id, automation_version, trigger_type, trigger, record_id,
-- source_key, root_id, chain, error, claim_id, lease_seconds}]. `shared` is the trigger of all runs and replaces
-- `trigger`.
--
-- A run with `claim_id` is claimed at once, for `lease_seconds`, if its trigger is small (as in claims, which include
-- only small columns), its automation is active, and no other run of its record is waiting.
--
-- `bounds`: {root, most_caused, caused_error, most_waiting, is_full, waiting_error}, or null.
-- - The root causes at most `most_caused` runs. Beyond that, each automation gets one failed run, with `caused_error`.
-- - If the tenant `is_full` or has `most_waiting` waiting runs, new runs fail with `waiting_error`. Runs without a
--   record and without a source are not created.
--
-- Returns {runs: [{id, is_claimed, input_bytes}], is_full}. A source that already has its run gets no second one.
-- `is_full` is true if the tenant has `most_waiting` waiting runs; null if they were not counted.
create function tessera_make_runs(
  tenant uuid, at timestamptz, requests json, shared json default null, bounds json default null)
returns json
language plpgsql as $$
declare
  runs json;
  clock timestamptz := clock_timestamp();
  remaining_caused int;
  counted_full boolean;
  is_full boolean := false;
begin
  if bounds is not null then
    if bounds ->> 'root' is not null then
      select (bounds ->> 'most_caused')::int - count(*) into remaining_caused from (
        select from automation_runs r where r.tenant_id = tenant and r.root_id = (bounds ->> 'root')::uuid
        limit (bounds ->> 'most_caused')::int) caused;
    end if;
    if bounds ->> 'most_waiting' is not null then
      select count(*) >= (bounds ->> 'most_waiting')::int into counted_full from (
        select from automation_runs r where r.tenant_id = tenant and r.state = 'pending'
        limit (bounds ->> 'most_waiting')::int) waiting;
    end if;
    is_full := (bounds ->> 'is_full')::boolean or coalesce(counted_full, false);
  end if;
  with new_runs as materialized (
    select r.id, r.target_id, r.automation_version, r.trigger_type, r.trigger, r.record_id, r.root_id, r.chain, r.claim_id,
      r.lease_seconds, r.nth,
      case when r.nth > remaining_caused then coalesce(r.source_key, 'bound ' || r.root_id) else r.source_key end
        as source_key,
      case when r.nth > remaining_caused then bounds ->> 'caused_error'
        when r.error is null and is_full then bounds ->> 'waiting_error' else r.error end as error
    from rows from (json_to_recordset(requests) as (id uuid, target_id uuid, automation_version int, trigger_type text,
      trigger json, record_id uuid, source_key text, root_id uuid, chain json, error text, claim_id uuid,
      lease_seconds float8))
      with ordinality as r (id, target_id, automation_version, trigger_type, trigger, record_id, source_key, root_id, chain, error,
      claim_id, lease_seconds, nth)
    where not (is_full and r.record_id is null and r.source_key is null)
  ), created as (
    insert into automation_runs (tenant_id, id, target_id, state, due_at, claim_id, attempts, last_error, automation_version,
      trigger_type, trigger, input_bytes, record_id, place, source_key, root_id, chain, created_at, started_at, finished_at)
    select a.tenant_id, a.id, a.target_id, case when a.error is null then 'pending' else 'failed' end,
      case when a.is_claimed then clock + make_interval(secs => a.lease_seconds) else at end,
      case when a.is_claimed then a.claim_id end, 0,
      a.error, a.automation_version, a.trigger_type, coalesce(shared, a.trigger),
      octet_length(coalesce(shared, a.trigger)::text), a.record_id,
      coalesce(a.last_place, 0) + a.nth, a.source_key, a.root_id, a.chain, at, case when a.error is not null then at end,
      case when a.error is not null then at end
    from (select tenant_row.tenant_id, r.*, before.place as last_place,
        before.place is null and r.claim_id is not null and r.error is null
          and length(coalesce(shared, r.trigger)::text) <= 4096 and exists (
          select from automations o where o.tenant_id = tenant and o.id = r.target_id and o.active) as is_claimed
      from new_runs r
      cross join (select u.tenant_id from business_units u where u.tenant_id = tenant and u.is_default) tenant_row
      -- Not max(place): the planner may compute it by scanning all waiting runs of the target. See
      -- tessera_work_queue_turn.
      left join lateral (select e.place from automation_runs e where e.tenant_id = tenant and e.target_id = r.target_id
        and e.record_id = r.record_id and e.state = 'pending' order by e.place desc limit 1) before on true) a
    on conflict (tenant_id, target_id, source_key) where source_key is not null do nothing
    returning id, claim_id, input_bytes
  )
  select json_agg(
    json_build_object('id', created.id, 'is_claimed', created.claim_id is not null, 'input_bytes', created.input_bytes))
    into runs from created;
  return json_build_object('runs', coalesce(runs, '[]'), 'is_full', counted_full);
end $$;
