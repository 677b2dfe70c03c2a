-- planner: by bitmaps
-- Returns the ids of the records that a full-text search matches; null if there are more than `max_matches`. Runs as
-- the owner of the tables: the search condition is not leakproof, so under row-level security it would run after the
-- policy and use no index.
create function tessera_match_records(tenant uuid, target text, search_query text, max_matches int) returns uuid[]
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  tenant_schema constant oid := to_regnamespace('entities_' || replace(tenant::text, '-', ''));
  found uuid[];
begin
  if current_setting('tessera.tenant', true) is distinct from tenant::text
    or tenant_schema is distinct from (select c.relnamespace from pg_class c where c.oid = target::regclass) then
    raise insufficient_privilege using message = 'A session can search only the records of its own tenant.';
  end if;
  execute format('select array_agg(id) from (
      select id from %s where tenant_id = $1 and search_text @@ to_tsquery(''simple'', $2) limit $3 + 1) matches', target::regclass)
    into found using tenant, search_query, max_matches;
  return case when cardinality(found) > max_matches then null else coalesce(found, '{}') end;
end $$;
