-- Settles messages that the relay has taken over, and notes when and with what words: [{tenant_id, id, leased_until,
-- rendered_at, sent_at, relay_answer}]. One change of each row instead of the two of settling and noting; of a message
-- whose lease was lost only the noting. One that has bounced before its hand-over is noted stays bounced.
create function tessera_note_sent(sent json) returns void
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare noted record;
begin
  for noted in
    select * from json_to_recordset(sent) as s (tenant_id uuid, id uuid, leased_until timestamptz,
      rendered_at timestamptz, sent_at timestamptz, relay_answer text)
  loop
    update email_messages m set
      state = 'success', due_at = noted.sent_at, attempts = m.attempts + 1, last_status_code = null, last_error = null,
      status = case when m.status = 'queued' then 'sent' else m.status end, rendered_at = noted.rendered_at,
      render_error = null, sent_at = noted.sent_at, relay_answer = noted.relay_answer, suppressed_by = null,
      ended_at = noted.sent_at
    where m.tenant_id = noted.tenant_id and m.id = noted.id and m.state = 'pending' and m.due_at = noted.leased_until;
    if not found then
      update email_messages m set
        status = case when m.status = 'queued' then 'sent' else m.status end, rendered_at = noted.rendered_at,
        render_error = null, sent_at = noted.sent_at, relay_answer = noted.relay_answer, suppressed_by = null,
        ended_at = noted.sent_at
      where m.tenant_id = noted.tenant_id and m.id = noted.id;
    end if;
  end loop;
end $$;
