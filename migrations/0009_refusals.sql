-- How often the relay refused a message for now. That it could not be reached is no try of the message: `attempts` counts
-- both, so the refusals are counted apart.
alter table email_messages add column refusals int not null default 0;

-- As in migration 0005, with the refusals.
drop function tessera_load_messages(uuid[], uuid[]);
create function tessera_load_messages(tenants uuid[], ids uuid[])
returns table (
  tenant_id uuid, id uuid, transmission_id uuid, recipient text, address text, name text, header_to text,
  metadata json, substitution_data json, refusals int
) language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off
set enable_mergejoin = off set enable_material = off set jit = off as $$ begin
  return query execute $query$
    select m.* from unnest($1, $2) as claimed (tenant_id, id)
    cross join lateral (
      select m.tenant_id, m.id, m.transmission_id, m.recipient, m.address, m.name, m.header_to, m.metadata,
        m.substitution_data, m.refusals
      from email_messages m where m.tenant_id = claimed.tenant_id and m.id = claimed.id limit 1) m$query$
  using tenants, ids;
end $$;

-- As in migration 0005, with the refusals, which stay when a result does not name them. A message that was sent stays as
-- it is: another attempt may have come to something else after its lease was lost.
create or replace function tessera_note_messages(results json) returns void
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare noted record;
begin
  for noted in
    select * from json_to_recordset(results) as s (tenant_id uuid, id uuid, status text, rendered_at timestamptz,
      render_error json, suppressed_by text, ended_at timestamptz, refusals int)
  loop
    update email_messages m set
      status = case when m.status = 'queued' then noted.status else m.status end,
      rendered_at = coalesce(noted.rendered_at, m.rendered_at), render_error = noted.render_error,
      suppressed_by = noted.suppressed_by, ended_at = noted.ended_at,
      refusals = coalesce(noted.refusals, m.refusals)
    where m.tenant_id = noted.tenant_id and m.id = noted.id and m.sent_at is null;
  end loop;
end $$;
