-- A visitor knows only the public code, so this look-up runs as the owner, past tenant isolation.
create function tessera_find_form_tenant(wanted_public_code text) returns uuid
language sql stable security definer set search_path = public as $$
  select tenant_id from forms where public_code = wanted_public_code
$$;
