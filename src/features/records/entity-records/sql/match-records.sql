-- planner: by bitmaps
-- Returns the ids of the records that a full-text search matches; null if they are more than `most`. Runs as the owner:
-- under row-level security the search condition is not leakproof, so it would run after the policy and use no index.
create function tessera_match_records(tenant uuid, target text, wanted text, most int) returns uuid[]
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  own constant oid := to_regnamespace('entities_' || replace(tenant::text, '-', ''));
  found uuid[];
begin
  if current_setting('tessera.tenant', true) is distinct from tenant::text
    or own is distinct from (select c.relnamespace from pg_class c where c.oid = target::regclass) then
    raise insufficient_privilege using message = 'Records are found by the tenant that a session is of.';
  end if;
  execute format('select array_agg(id) from (
      select id from %s where tenant_id = $1 and search_text @@ to_tsquery(''simple'', $2) limit $3 + 1) few', target::regclass)
    into found using tenant, wanted, most;
  return case when cardinality(found) > most then null else coalesce(found, '{}') end;
end $$;
