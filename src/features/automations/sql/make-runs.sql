-- planner: by keys
-- Makes runs: [{id, target_id, automation_version, trigger_type, trigger, record_id, source_key, chain, error, leased_until}], in this
-- order; `shared`: what set all of them off, instead of `trigger`. One that is asked for with a lease has it where it is short (about
-- as much as claims bring along), of an active automation, and waits for no other run of its record. Gives back those that were made,
-- [{id, is_leased}], without such of a source that has its run.
create function tessera_make_runs(tenant uuid, at timestamptz, asked json, shared json default null)
returns json
language plpgsql as $$
declare runs json;
begin
  with asked_runs as materialized (
    select r.* from rows from (json_to_recordset(asked) as (id uuid, target_id uuid, automation_version int, trigger_type text,
      trigger json, record_id uuid, source_key text, chain json, error text, leased_until timestamptz)) with ordinality
      as r (id, target_id, automation_version, trigger_type, trigger, record_id, source_key, chain, error, leased_until, nth)
  ), made as (
    insert into automation_runs (tenant_id, id, target_id, state, due_at, attempts, last_error, automation_version,
      trigger_type, trigger, record_id, place, source_key, chain, created_at, started_at, finished_at)
    select home.tenant_id, a.id, a.target_id, case when a.error is null then 'pending' else 'failed' end,
      case when before.place is null and a.leased_until is not null and
        length(coalesce(shared, a.trigger)::text) <= 4096 and exists (
        select from automations o where o.tenant_id = tenant and o.id = a.target_id and o.active)
        then a.leased_until else at end, 0,
      a.error, a.automation_version, a.trigger_type, coalesce(shared, a.trigger), a.record_id,
      coalesce(before.place, 0) + a.nth, a.source_key, a.chain, at, case when a.error is not null then at end,
      case when a.error is not null then at end
    from asked_runs a
    cross join (select u.tenant_id from business_units u where u.tenant_id = tenant and u.is_default) home
    -- By their order, as tessera_ledger_turn: the planner may go over all that wait for the target to tell the highest place.
    left join lateral (select r.place from automation_runs r where r.tenant_id = tenant and r.target_id = a.target_id
      and r.record_id = a.record_id and r.state = 'pending' order by r.place desc limit 1) before on true
    on conflict (tenant_id, target_id, source_key) where source_key is not null do nothing
    returning id, due_at
  )
  select json_agg(json_build_object('id', made.id, 'is_leased', made.due_at <> at)) into runs from made;
  return coalesce(runs, '[]');
end $$;
