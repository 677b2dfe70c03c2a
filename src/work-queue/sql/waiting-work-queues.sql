-- planner: by keys, plans kept
-- Returns the positions (from 1) in `work_queues` of those with waiting rows, due or not. One query for all, because
-- most are empty most of the time. `work_queues` are tables, or views of a work queue's rows. The plan is cached,
-- because planning costs ten times as much as running. It suits tables of any size, because it reads only the first row
-- of an index of each.
create function tessera_waiting_work_queues(work_queues regclass[]) returns setof int language plpgsql as $$ begin
  return query execute tessera_kept_plan((
    select string_agg(format('select %s where exists (select from %s l where l.state = ''pending'')', position, work_queue), ' union all ')
    from unnest(work_queues) with ordinality as given (work_queue, position)));
end $$;
