-- The condition on rows `l` of an ordered ledger that it is their turn: no earlier row for the same record waits. As text, since on a
-- cluster every table of a statement must be said to be of the tenant; empty for other ledgers. `tenant`: see tessera_tenant_sql.
-- The first one is asked for by its order, which only the index of places gives: asked whether there is an earlier one, the planner may
-- go over all that wait for the target.
create function tessera_ledger_turn(tenant uuid, ledger regclass, ordered boolean) returns text
language plpgsql immutable as $$ begin
  return case when ordered then format(
    ' and (l.record_id is null or l.place <= (select e.place from %1$s e where e.state = ''pending'' and e.tenant_id = %2$s
      and e.target_id = l.target_id and e.record_id = l.record_id order by e.place limit 1))',
    ledger, tessera_tenant_sql(tenant, 'l.tenant_id')) else '' end;
end $$;
