-- planner: by bitmaps
-- Returns the ids of subscribers with all of these texts in a name or the address and all of these values of additional
-- fields: [{field, kind, value}]. Some may not match, because the keys do not say where a text stands: the caller
-- compares again. Null if there are more than `most`, or if no condition has a key. Runs as the owner: row-level
-- security is evaluated before array comparisons, which then use no index.
create function tessera_find_subscribers(tenant uuid, pieces text[], fields json, most int) returns uuid[]
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  wanted bigint[] := '{}';
  piece text;
  found uuid[];
begin
  if current_setting('tessera.tenant', true) is distinct from tenant::text then
    raise insufficient_privilege using message = 'People are found by the tenant that a session is of.';
  end if;
  foreach piece in array pieces loop
    -- A long piece is distinctive enough by its beginning.
    piece := left(lower(piece), 40);
    wanted := wanted || tessera_text_keys(tenant, piece, case when length(piece) < 5 then 3 else 5 end);
  end loop;
  wanted := wanted || array(
    select tessera_value_key(tenant, f.field, f.kind, f.value)
    from json_to_recordset(fields) as f (field text, kind text, value text));
  wanted := array_remove(wanted, null);
  if wanted = '{}' then return null; end if;
  -- Planned each time: a plan made for few subscribers would keep scanning all of them.
  execute 'select array_agg(id) from (
      select id from subscribers
      where tenant_id = $1
        and tessera_subscriber_keys(tenant_id, first_name, last_name, email, additional_fields_data) @> $2
      limit $3 + 1) few'
    into found using tenant, wanted, most;
  return case when cardinality(found) > most then null else coalesce(found, '{}') end;
end $$;
