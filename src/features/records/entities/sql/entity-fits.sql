-- Returns true if bodies of records could contain the text as a value of the type. PostgreSQL itself also accepts words
-- such as 'now' or 'infinity'.
create function tessera_entity_fits(value text, target text) returns boolean
language plpgsql stable strict set timezone = 'UTC' as $$ begin
  if target = 'bigint' then
    return value ~ '^-?\d{1,16}$' and abs(value::bigint) <= 9007199254740991;
  elsif target = 'boolean' then
    return value in ('true', 'false');
  elsif target = 'uuid' then
    return value ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
  elsif target = 'double precision' then
    if value !~ '^-?\d+(\.\d+)?([eE][+-]?\d+)?$' then return false; end if;
    perform value::double precision;
  elsif target = 'date' then
    if value !~ '^\d{4}-\d\d-\d\d$' then return false; end if;
    perform value::date;
  else
    if value !~ '^\d{4}-\d\d-\d\d(T\d\d:\d\d(:[0-5]\d(\.\d+)?)?(Z|[+-](0\d|1[0-5]):?[0-5]\d)?)?$' then return false; end if;
    -- A time zone can move a time out of the years 1 to 9999.
    return extract(year from value::timestamptz) between 1 and 9999;
  end if;
  return true;
exception when data_exception then
  return false;
end $$;
