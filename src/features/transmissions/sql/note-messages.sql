-- planner: by keys
-- Notes what became of messages that were not sent: [{tenant_id, id, status, rendered_at, render_error, suppressed_by,
-- ended_at, refusals}]; the refusals stay when a result does not name them. A message that was sent stays as it is:
-- another attempt may have come to something else after its lease was lost. Row by row, because tenant isolation makes
-- the planner think so little of the table that it would read all of it for a join.
create function tessera_note_messages(results json) returns void
language plpgsql as $$
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
