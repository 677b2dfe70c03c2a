-- planner: by keys
-- Stores the completed actions of a run. Raises TL001 if another worker has claimed the run or more entries are stored;
-- the error rolls back what the action has written. `saved` is the text of the `entries`. With `result`, this text ends
-- where the result of the last entry belongs. Raises TL002 if that result may be too long for a run.
create function tessera_save_actions(tenant uuid, run uuid, claim uuid, began timestamptz, entries int, saved text,
  result text default null) returns void
language plpgsql as $$ begin
  if length(result) > 65536 then
    raise exception using errcode = 'TL002', message = 'The result must be measured before it is stored.';
  end if;
  -- The cached plan suits any table size: see automation_runs in migrations/0001_baseline.sql.
  update automation_runs r
  set actions = (saved || coalesce(result || '}]', ''))::json, started_at = coalesce(r.started_at, began)
  where r.tenant_id = tenant and r.id = run and r.claim_id = claim and json_array_length(r.actions) <= entries;
  if not found then
    raise exception using errcode = 'TL001', message = 'Another worker has claimed the run, or more of its actions are stored.';
  end if;
end $$;
