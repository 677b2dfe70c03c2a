-- What people are found by: pieces of their names and addresses, and the values of their additional fields, each as a number
-- that belongs to its tenant. The functions stand here, as an index is made of them: they must never give anything else.

-- Every run of `size` characters of a text in lower case.
create function tessera_text_keys(tenant uuid, given text, size int) returns bigint[]
language plpgsql immutable strict parallel safe as $$
declare
  seed constant bigint := uuid_hash_extended(tenant, size);
  keys bigint[] := '{}';
begin
  for place in 1 .. length(given) - size + 1 loop
    keys := keys || hashtextextended(substr(given, place, size), seed);
  end loop;
  return keys;
end $$;

-- A value of a field as text, as a number, or as the moment that a text says (a date alone its midnight in UTC); null: it says none.
create function tessera_value_key(tenant uuid, field text, kind text, value text) returns bigint
language plpgsql immutable strict parallel safe as $$
declare
  seed constant bigint := hashtextextended(kind || ' ' || field, uuid_hash_extended(tenant, 0));
begin
  if kind = 'text' then return hashtextextended(value, seed); end if;
  if kind = 'number' then return hashfloat8extended(value::float8, seed); end if;
  if value !~ '^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$' then return null; end if;
  begin
    return hashfloat8extended(extract(epoch from (case
      when length(value) = 10 then value || 'T00:00Z'
      when value ~ 'T.*[Z+-]' then value
      else value || 'Z' end)::timestamptz)::float8, seed);
  exception when data_exception then
    return null;
  end;
end $$;

-- All of somebody. A number is found by its text, too: filters of a field without a definition compare what they are given.
create function tessera_subscriber_keys(tenant uuid, first_name text, last_name text, email text, fields json) returns bigint[]
language plpgsql immutable parallel safe cost 1000 as $$
declare
  searched constant text := lower(first_name || E'\n' || coalesce(last_name, '') || E'\n' || email);
  keys bigint[] := public.tessera_text_keys(tenant, searched, 3) || public.tessera_text_keys(tenant, searched, 5);
  member record;
begin
  if json_typeof(fields) is distinct from 'object' then return keys; end if;
  for member in select f.key, f.value #>> '{}' as text, json_typeof(f.value) as type from json_each(fields) f loop
    keys := keys || public.tessera_value_key(tenant, member.key, 'text', member.text);
    if member.type = 'number' then
      keys := keys || public.tessera_value_key(tenant, member.key, 'number', member.text);
    elsif member.text ~ '^\d{4}-\d{2}-\d{2}' then
      keys := keys || public.tessera_value_key(tenant, member.key, 'time', member.text);
    end if;
  end loop;
  return array_remove(keys, null);
end $$;

create index subscribers_keys on subscribers
  using gin (tessera_subscriber_keys(tenant_id, first_name, last_name, email, additional_fields_data));
