-- Runs commands that lock tables, all of them or none: those who wait for a lock have others wait behind them, so after a
-- moment everything is let go, and tried again.
create function tessera_lock_tables(commands text[], tries int, patience_ms int) returns void
language plpgsql as $$
declare command text;
begin
  perform set_config('lock_timeout', patience_ms || 'ms', true);
  for attempt in 1 .. tries loop
    begin
      foreach command in array commands loop execute command; end loop;
      return;
    exception when lock_not_available then
      if attempt = tries then raise; end if;
    end;
    perform pg_sleep(0.02 * attempt);
  end loop;
end $$;
