-- planner: by keys
-- Returns the positions (from 1) in `ledgers` of those with waiting rows, due or not. One query for all, because most are empty most
-- of the time. `ledgers` are tables, or views of a ledger's rows.
create function tessera_waiting_ledgers(ledgers regclass[]) returns setof int language plpgsql stable as $$ begin
  return query execute (
    select string_agg(format('select %s where exists (select from %s l where l.state = ''pending'')', place, ledger), ' union all ')
    from unnest(ledgers) with ordinality as given (ledger, place));
end $$;
