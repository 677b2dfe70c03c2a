-- Returns the time of an ISO 8601 text; a date without a time is midnight in UTC. Null if the text is not ISO 8601.
create function tessera_time_of(value text) returns timestamptz
language plpgsql immutable strict parallel safe set timezone = 'UTC' as $$ begin
  if value !~ '^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$' then
    return null;
  end if;
  return value::timestamptz;
exception when data_exception then
  return null;
end $$;
