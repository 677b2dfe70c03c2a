-- Returns the caller of an access token; bypasses tenant isolation, like tessera_find_caller.
create function tessera_find_session_caller(wanted_tenant uuid, wanted_session uuid)
returns table (
  tenant_id uuid, membership_id uuid, user_id uuid, is_tenant_admin boolean, is_suspended boolean, has_archived_units boolean, units json,
  entity_revision bigint
) language plpgsql stable security definer set search_path = public, pg_temp as $$ begin
  return query
  select s.tenant_id, m.membership_id, m.user_id, m.is_tenant_admin, t.status = 'suspended',
    exists (select from business_units a where a.tenant_id = wanted_tenant and a.archived_at is not null),
    (select coalesce(json_agg(json_build_object(
        'buId', u.bu_id, 'name', u.name, 'slug', u.slug, 'isDefault', u.is_default,
        'role', case when m.is_tenant_admin then 'admin' else g.role end
      ) order by u.is_default desc, u.created_at, u.bu_id), '[]'::json)
     from business_units u
     left join business_unit_grants g
       on g.tenant_id = u.tenant_id and g.membership_id = m.membership_id and g.bu_id = u.bu_id
     where u.tenant_id = wanted_tenant and u.archived_at is null and (m.is_tenant_admin or g.id is not null)),
    coalesce((select r.revision from entity_revisions r where r.tenant_id = wanted_tenant), 0)
  from sessions s
  join memberships m on m.tenant_id = s.tenant_id and m.membership_id = s.membership_id
  join tenants t on t.tenant_id = s.tenant_id and t.status <> 'deleting'
  where s.tenant_id = wanted_tenant and s.id = wanted_session and m.status = 'active';
end $$;
