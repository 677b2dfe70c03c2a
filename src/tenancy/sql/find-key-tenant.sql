-- A request names only its key, so this look-up runs as the owner, past tenant isolation.
create function tessera_find_key_tenant(wanted_prefix text) returns uuid
language plpgsql stable security definer set search_path = public as $$ begin
  return (select k.tenant_id from api_keys k where k.prefix = wanted_prefix limit 1);
end $$;
