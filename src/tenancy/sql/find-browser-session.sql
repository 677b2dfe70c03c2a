-- Returns a browser session, which is in the tenant where its user signed in, and the membership of its user in the
-- tenant with the code `wanted_code`, which may be another one. Without such an active membership its columns are null.
-- Bypasses tenant isolation, like tessera_find_caller. One call, so that a request needs one round trip for both.
create function tessera_find_browser_session(wanted_tenant uuid, wanted_digest bytea, wanted_code text)
returns table (
  session_id uuid, session_user_id uuid, created_at timestamptz, last_seen_at timestamptz, expires_at timestamptz,
  confirmed_until timestamptz, remember boolean, session_hours integer,
  tenant_id uuid, membership_id uuid, user_id uuid, is_tenant_admin boolean, is_suspended boolean, has_archived_units boolean,
  units json, entity_revision bigint, member_seen_at timestamptz
) language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  called_tenant uuid;
begin
  select s.id, s.user_id, s.created_at, s.last_seen_at, s.expires_at, s.confirmed_until, s.remember, h.session_hours
    into session_id, session_user_id, created_at, last_seen_at, expires_at, confirmed_until, remember, session_hours
  from browser_sessions s join tenants h on h.tenant_id = s.tenant_id
  where s.tenant_id = wanted_tenant and s.digest = wanted_digest;
  if session_id is null then return; end if;
  select t.tenant_id, t.status = 'suspended' into called_tenant, is_suspended
  from tenants t where t.code = wanted_code and t.status <> 'deleting';
  if called_tenant is not null then
    select m.tenant_id, m.membership_id, m.user_id, m.is_tenant_admin,
      exists (select from business_units a where a.tenant_id = called_tenant and a.archived_at is not null),
      (select coalesce(json_agg(json_build_object(
          'buId', u.bu_id, 'name', u.name, 'slug', u.slug, 'isDefault', u.is_default,
          'role', case when m.is_tenant_admin then 'admin' else g.role end
        ) order by u.is_default desc, u.created_at, u.bu_id), '[]'::json)
       from business_units u
       left join business_unit_grants g
         on g.tenant_id = u.tenant_id and g.membership_id = m.membership_id and g.bu_id = u.bu_id
       where u.tenant_id = called_tenant and u.archived_at is null and (m.is_tenant_admin or g.id is not null)),
      coalesce((select r.revision from entity_revisions r where r.tenant_id = called_tenant), 0),
      m.last_seen_at
      into tenant_id, membership_id, user_id, is_tenant_admin, has_archived_units, units, entity_revision, member_seen_at
    from memberships m
    where m.tenant_id = called_tenant and m.user_id = session_user_id and m.status = 'active';
  end if;
  return next;
end $$;
