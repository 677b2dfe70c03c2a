-- planner: by keys
-- What the sender needs of claimed messages.
create function tessera_load_messages(tenants uuid[], ids uuid[])
returns table (
  tenant_id uuid, id uuid, transmission_id uuid, recipient text, address text, name text, header_to text,
  metadata json, substitution_data json, refusals int
) language plpgsql stable as $$ begin
  return query execute $query$
    select m.* from unnest($1, $2) as claimed (tenant_id, id)
    cross join lateral (
      select m.tenant_id, m.id, m.transmission_id, m.recipient, m.address, m.name, m.header_to, m.metadata,
        m.substitution_data, m.refusals
      from email_messages m where m.tenant_id = claimed.tenant_id and m.id = claimed.id limit 1) m$query$
  using tenants, ids;
end $$;
