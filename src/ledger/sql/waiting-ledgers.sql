-- planner: by keys
-- The places in `ledgers`, from 1 on, of those that have waiting rows, due or not: one look for all, as most have none most of the
-- time. `ledgers` are tables, or views of a ledger's own rows.
create function tessera_waiting_ledgers(ledgers regclass[]) returns setof int language plpgsql stable as $$ begin
  return query execute (
    select string_agg(format('select %s where exists (select from %s l where l.state = ''pending'')', place, ledger), ' union all ')
    from unnest(ledgers) with ordinality as given (ledger, place));
end $$;
