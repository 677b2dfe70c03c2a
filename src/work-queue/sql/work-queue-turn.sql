-- Returns a condition on rows `l` of an ordered work queue: no earlier row of the same record waits. It is text,
-- because on a cluster every table of a statement must name the tenant. Empty for other work queues. `tenant`: see
-- tessera_tenant_sql. The condition reads the first row by `place`, so the planner must use the index on `place`. With
-- `exists (an earlier row)` it could scan all rows that wait for the target.
create function tessera_work_queue_turn(tenant uuid, work_queue regclass, ordered boolean) returns text
language plpgsql immutable as $$ begin
  return case when ordered then format(
    ' and (l.record_id is null or l.place <= (select e.place from %1$s e where e.state = ''pending'' and e.tenant_id = %2$s
      and e.target_id = l.target_id and e.record_id = l.record_id order by e.place limit 1))',
    work_queue, tessera_tenant_sql(tenant, 'l.tenant_id')) else '' end;
end $$;
