-- The condition on rows `l` of an ordered ledger that it is their turn: no earlier row for the same record waits. As text, since on a
-- cluster every table of a statement must be said to be of the tenant; empty for other ledgers. `tenant`: see tessera_tenant_sql.
create function tessera_ledger_turn(tenant uuid, ledger regclass, ordered boolean) returns text
language plpgsql immutable as $$ begin
  return case when ordered then format(
    ' and (l.record_id is null or not exists (select from %1$s e where e.state = ''pending'' and e.tenant_id = %2$s
      and e.target_id = l.target_id and e.record_id = l.record_id and e.place < l.place))',
    ledger, tessera_tenant_sql(tenant, 'l.tenant_id')) else '' end;
end $$;
