-- planner: by bitmaps
-- Returns the ids of subscribers with all of these texts in a name or the address and all of these values of additional
-- fields: [{field, kind, value}]. Some may not match, because keys have no positions: the caller compares again. Null
-- if there are more than `max_count`, or if no condition has a key. Runs as the owner, because row-level security is
-- evaluated before array comparisons, which then cannot use the index.
create function tessera_find_subscribers(tenant uuid, pieces text[], fields json, max_count int) returns uuid[]
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  keys bigint[] := '{}';
  piece text;
  found uuid[];
begin
  if current_setting('tessera.tenant', true) is distinct from tenant::text then
    raise insufficient_privilege using message = 'Subscribers can be searched only in the tenant of the session.';
  end if;
  foreach piece in array pieces loop
    -- The beginning of a long piece is selective enough.
    piece := left(lower(piece), 40);
    keys := keys || tessera_text_keys(tenant, piece, case when length(piece) < 5 then 3 else 5 end);
  end loop;
  keys := keys || array(
    select tessera_value_key(tenant, f.field, f.kind, f.value)
    from json_to_recordset(fields) as f (field text, kind text, value text));
  keys := array_remove(keys, null);
  if keys = '{}' then return null; end if;
  -- Planned for each call: a cached plan made for few subscribers would scan all of them.
  execute 'select array_agg(id) from (
      select id from subscribers
      where tenant_id = $1
        and tessera_subscriber_keys(tenant_id, first_name, last_name, email, additional_fields_data) @> $2
      limit $3 + 1) found'
    into found using tenant, keys, max_count;
  return case when cardinality(found) > max_count then null else coalesce(found, '{}') end;
end $$;
