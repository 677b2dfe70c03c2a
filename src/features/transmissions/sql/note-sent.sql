-- planner: by keys
-- Settles messages that the relay has taken over, and notes when and with what words: [{tenant_id, id, rendered_at,
-- sent_at, relay_answer}], in the order of their keys. One change of each row instead of the two of settling and noting.
-- A message whose lease was lost is settled all the same, or it would go out again; whoever has leased it since then
-- cannot settle it, for its lease is gone, and notes nothing but a bounce (tessera_note_messages). One
-- that has bounced before its hand-over is noted stays bounced.
create function tessera_note_sent(sent json) returns void
language plpgsql as $$
declare noted record;
begin
  for noted in
    select * from json_to_recordset(sent) as s (tenant_id uuid, id uuid, rendered_at timestamptz, sent_at timestamptz,
      relay_answer text)
  loop
    update email_messages m set
      state = case when m.state = 'pending' then 'success' else m.state end,
      due_at = case when m.state = 'pending' then noted.sent_at else m.due_at end,
      attempts = case when m.state = 'pending' then m.attempts + 1 else m.attempts end,
      last_status_code = null, last_error = null,
      status = case when m.status = 'queued' then 'sent' else m.status end, rendered_at = noted.rendered_at,
      render_error = null, sent_at = noted.sent_at, relay_answer = noted.relay_answer, suppressed_by = null,
      ended_at = noted.sent_at
    where m.tenant_id = noted.tenant_id and m.id = noted.id;
  end loop;
end $$;
