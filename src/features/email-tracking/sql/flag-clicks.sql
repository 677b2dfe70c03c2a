-- planner: by keys
-- Marks clicks as a machine's, and has their messages forget a first click that was one.
create function tessera_flag_clicks(tenants uuid[], ids uuid[], reason text) returns void language plpgsql as $$
declare
  flagged record;
  touched uuid;
begin
  for flagged in select u.tenant_id, u.id from unnest(tenants, ids) as u (tenant_id, id) order by 1, 2 loop
    update email_message_events e set machine_reason = reason
    where e.tenant_id = flagged.tenant_id and e.id = flagged.id returning e.message_id into touched;
    update email_messages m set clicked_at = (
      select min(e.occurred_at) from email_message_events e
      where e.tenant_id = flagged.tenant_id and e.message_id = touched and e.type = 'click' and e.machine_reason is null)
    where m.tenant_id = flagged.tenant_id and m.id = touched;
  end loop;
end $$;
