-- planner: by keys
-- Notes what was done of a run, as long as it is leased to whoever does it and no more is noted; raises TL001 otherwise, so that nobody
-- has to wait for the answer: what is in the same transaction comes to nothing with it. `noted` is the text of its `entries`; where
-- `result` is given, it ends where the result of the last one belongs. Of a result that may be too long for a run: TL002.
create function tessera_note_actions(tenant uuid, run uuid, lease timestamptz, began timestamptz, entries int, noted text,
  result text default null) returns void
language plpgsql as $$ begin
  if length(result) > 65536 then
    raise exception using errcode = 'TL002', message = 'The result is noted once its length is known.';
  end if;
  -- Its plan is kept, and right whatever the size of the table: migrations/0001_baseline.sql, automation_runs.
  update automation_runs r
  set actions = (noted || coalesce(result || '}]', ''))::json, started_at = coalesce(r.started_at, began)
  where r.tenant_id = tenant and r.id = run and r.due_at = lease and json_array_length(r.actions) <= entries;
  if not found then
    raise exception using errcode = 'TL001', message = 'The run is leased to somebody else, or has more noted.';
  end if;
end $$;
