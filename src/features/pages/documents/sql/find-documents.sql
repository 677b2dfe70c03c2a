-- planner: by bitmaps
-- Returns the ids of documents whose name or uid contains all `pieces`. `fields` are equality filters
-- [{field, kind, value}]; only the one on `project_id` is used here. The index has keys of text fragments without their
-- positions, so the result may have false matches: the caller compares the texts. Returns null if there are more than
-- `most` documents, or no pieces.
--
-- `security definer`: with row-level security, PostgreSQL cannot use the index, because the array operator `@>` is not
-- leakproof.
create function tessera_find_documents(tenant uuid, pieces text[], fields json, most int) returns text[]
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  project constant text := (
    select f.value from json_to_recordset(fields) as f (field text, value text) where f.field = 'project_id');
  seed constant uuid := md5(tenant::text || project)::uuid;
  wanted bigint[] := '{}';
  piece text;
  found text[];
begin
  if current_setting('tessera.tenant', true) is distinct from tenant::text then
    raise insufficient_privilege using message = 'Only documents of the tenant of the database session can be searched.';
  end if;
  foreach piece in array pieces loop
    continue when piece = '';
    -- The beginning of a long piece is selective enough.
    piece := left(lower(piece), 40);
    wanted := wanted || tessera_text_keys(seed, piece, least(length(piece), 3));
  end loop;
  if wanted = '{}' then return null; end if;
  -- `execute` plans each call: a cached plan from when there were few documents would scan all of them. The keys
  -- include the project. With an extra condition on project_id, the planner may read all entries of that column's
  -- index.
  execute 'select array_agg(id) from (
      select id from documents
      where tenant_id = $1 and tessera_document_keys(tenant_id, project_id, name, uid) @> $2
      limit $3 + 1) few'
    into found using tenant, wanted, most;
  return case when cardinality(found) > most then null else coalesce(found, '{}') end;
end $$;
