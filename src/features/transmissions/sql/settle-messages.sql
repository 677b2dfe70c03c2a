-- planner: by keys
-- Settles messages with what their attempts found out: [{tenant_id, id, leased_until, state, due_at, faults, error,
-- status, rendered_at, render_error, suppressed_by, sent_at, relay_answer, ended_at}], in the order of their keys.
-- One without a state is dropped.
--
-- A message whose lease was lost is left as it is, unless the relay has taken it over: that is noted all the same, or it
-- would go out again, and whoever has leased it since then can settle it no more. One that has bounced before its
-- hand-over is noted stays bounced. Row by row, because tenant isolation makes the planner think so little of the table
-- that it would read all of it for a join.
create function tessera_settle_messages(settled json) returns void
language plpgsql as $$
declare s record;
begin
  for s in
    select * from json_to_recordset(settled) as s (tenant_id uuid, id uuid, leased_until timestamptz, state text,
      due_at timestamptz, faults int, error text, status text, rendered_at timestamptz, render_error json, suppressed_by text,
      sent_at timestamptz, relay_answer text, ended_at timestamptz)
  loop
    if s.state is null then
      delete from email_messages m
      where m.tenant_id = s.tenant_id and m.id = s.id and m.state = 'pending' and m.due_at = s.leased_until;
      continue;
    end if;
    update email_messages m set
      state = case when m.state = 'pending' then s.state else m.state end,
      due_at = case when m.state = 'pending' then s.due_at else m.due_at end,
      attempts = case when m.state = 'pending' then m.attempts + 1 else m.attempts end,
      faults = s.faults, last_error = s.error,
      status = case when m.status = 'queued' then s.status else m.status end,
      rendered_at = coalesce(s.rendered_at, m.rendered_at), render_error = s.render_error,
      suppressed_by = s.suppressed_by, sent_at = s.sent_at, relay_answer = s.relay_answer, ended_at = s.ended_at
    where m.tenant_id = s.tenant_id and m.id = s.id
      and (s.sent_at is not null or (m.state = 'pending' and m.due_at = s.leased_until));
  end loop;
end $$;
