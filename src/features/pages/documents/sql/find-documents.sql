-- planner: by bitmaps
-- The ids of the documents that have all of these pieces of text in name or uid, in the project that `fields` name:
-- [{field, kind, value}]. Some of them may not, as these are keys without their places: whoever asks compares once more. Null:
-- they are more than `most`, or there is no piece. Runs as the owner: what compares lists of numbers may not look at rows before
-- row-level security has, and so finds no index under it.
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
    raise insufficient_privilege using message = 'Documents are found by the tenant that a session is of.';
  end if;
  foreach piece in array pieces loop
    continue when piece = '';
    -- The beginning of a long piece tells enough.
    piece := left(lower(piece), 40);
    wanted := wanted || tessera_text_keys(seed, piece, least(length(piece), 3));
  end loop;
  if wanted = '{}' then return null; end if;
  -- Planned again each time: a plan from when there were few documents would go on looking at all of them. The project is in
  -- the keys; named beside them, an index of its documents would be read whole.
  execute 'select array_agg(id) from (
      select id from documents
      where tenant_id = $1 and tessera_document_keys(tenant_id, project_id, name, uid) @> $2
      limit $3 + 1) few'
    into found using tenant, wanted, most;
  return case when cardinality(found) > most then null else coalesce(found, '{}') end;
end $$;
