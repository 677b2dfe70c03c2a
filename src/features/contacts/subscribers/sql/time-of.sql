-- The moment that a text in ISO 8601 says, a date alone its midnight in UTC; null for a text that says none.
create function tessera_time_of(given text) returns timestamptz
language plpgsql immutable strict parallel safe set timezone = 'UTC' as $$ begin
  if given !~ '^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$' then
    return null;
  end if;
  return given::timestamptz;
exception when data_exception then
  return null;
end $$;
