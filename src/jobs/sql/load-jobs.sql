-- planner: by keys
-- What claimed jobs are to do.
create function tessera_load_jobs(tenants uuid[], ids uuid[]) returns table (id uuid, name text, payload json)
language plpgsql stable as $$ begin
  return query execute $query$
    select j.* from unnest($1, $2) as claimed (tenant_id, id)
    cross join lateral (
      select j.id, j.name, j.payload from jobs j
      where j.tenant_id = claimed.tenant_id and j.id = claimed.id limit 1) j$query$
  using tenants, ids;
end $$;
