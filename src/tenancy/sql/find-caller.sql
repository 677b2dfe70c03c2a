-- Returns the caller of an API key. Runs as the owner and bypasses tenant isolation, so the connection need not be set
-- to the tenant.
create function tessera_find_caller(wanted_tenant uuid, wanted_prefix text)
returns table (
  tenant_id uuid, key_id uuid, digest bytea, last_used_at timestamptz, membership_id uuid, user_id uuid,
  is_tenant_admin boolean, is_suspended boolean, has_archived_units boolean, units json,
  member_seen_at timestamptz
) language plpgsql stable security definer set search_path = public, pg_temp as $$ begin
  return query
  select k.tenant_id, k.id, k.digest, k.last_used_at, m.membership_id, m.user_id, m.is_tenant_admin, t.status = 'suspended',
    exists (select from business_units a where a.tenant_id = wanted_tenant and a.archived_at is not null),
    (select coalesce(json_agg(json_build_object(
        'buId', u.bu_id, 'name', u.name, 'slug', u.slug, 'isDefault', u.is_default,
        'role', case when m.is_tenant_admin then 'admin' else g.role end
      ) order by u.is_default desc, u.created_at, u.bu_id), '[]'::json)
     from business_units u
     left join business_unit_grants g
       on g.tenant_id = u.tenant_id and g.membership_id = m.membership_id and g.bu_id = u.bu_id
     where u.tenant_id = wanted_tenant and u.archived_at is null and (m.is_tenant_admin or g.id is not null)),
    m.last_seen_at
  from api_keys k
  join memberships m on m.tenant_id = k.tenant_id and m.membership_id = k.membership_id
  join tenants t on t.tenant_id = k.tenant_id and t.status <> 'deleting'
  where k.tenant_id = wanted_tenant and k.prefix = wanted_prefix and k.revoked_at is null and m.status = 'active';
end $$;
