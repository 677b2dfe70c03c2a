-- A visitor knows only the public code, so this look-up runs as the owner, past tenant isolation.
create function tessera_find_form_tenant(wanted_public_code text) returns uuid
language plpgsql stable security definer set search_path = public as $$ begin
  return (select f.tenant_id from forms f where f.public_code = wanted_public_code limit 1);
end $$;
