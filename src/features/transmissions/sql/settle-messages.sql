-- planner: by keys
-- Settles messages with what their attempts found out: [{tenant_id, id, leased_until, state, due_at, faults, error,
-- status, rendered_at, render_error, suppressed_by, sent_at, relay_answer, ended_at}], in the order of their keys.
-- One without a state is dropped. Returns what is to be counted for it (tessera_count_messages).
--
-- A message whose lease was lost is left as it is, unless the relay has taken it over: that is noted all the same, or it
-- would go out again, and whoever has leased it since then can settle it no more. One that has bounced before its
-- hand-over is noted stays bounced. Of somebody who was erased meanwhile no words are noted: they may tell the address. Row by row, because tenant isolation makes the planner think so little of the table
-- that it would read all of it for a join.
create function tessera_settle_messages(settled json) returns jsonb
language plpgsql as $$
declare
  s record;
  held record;
  was_queued boolean;
  changes jsonb[];
begin
  for s in
    select * from json_to_recordset(settled) as s (tenant_id uuid, id uuid, leased_until timestamptz, state text,
      due_at timestamptz, faults int, error text, status text, rendered_at timestamptz, render_error json, suppressed_by text,
      sent_at timestamptz, relay_answer text, ended_at timestamptz)
  loop
    if s.state is null then
      delete from email_messages m
      where m.tenant_id = s.tenant_id and m.id = s.id and m.state = 'pending' and m.due_at = s.leased_until
      returning m.transmission_id, m.subscriber_id into held;
    else
      -- The status is part of the condition, so that it is known what it was before: only a queued message gets another one.
      foreach was_queued in array array[true, false] loop
        update email_messages m set
          state = case when m.state = 'pending' then s.state else m.state end,
          due_at = case when m.state = 'pending' then s.due_at else m.due_at end,
          attempts = case when m.state = 'pending' then m.attempts + 1 else m.attempts end,
          faults = s.faults, last_error = case when m.recipient = '' then m.last_error else s.error end,
          status = case when was_queued then s.status else m.status end,
          rendered_at = coalesce(s.rendered_at, m.rendered_at),
          render_error = case when m.recipient = '' then null else s.render_error end,
          suppressed_by = s.suppressed_by, sent_at = s.sent_at,
          relay_answer = case when m.recipient = '' then null else s.relay_answer end, ended_at = s.ended_at
        where m.tenant_id = s.tenant_id and m.id = s.id and (m.status = 'queued') = was_queued
          and (s.sent_at is not null or (m.state = 'pending' and m.due_at = s.leased_until))
        returning m.transmission_id, m.subscriber_id into held;
        exit when held.transmission_id is not null;
      end loop;
    end if;
    if held.transmission_id is null then
      -- Locked all the same: who changes messages locks all of them before he counts, or two would wait for each other.
      perform from email_messages m where m.tenant_id = s.tenant_id and m.id = s.id for no key update;
    elsif held.subscriber_id is not null and (s.state is null or was_queued and s.status in ('sent', 'bounced')) then
      changes := changes || jsonb_build_object('tenant_id', s.tenant_id, 'transmission_id', held.transmission_id,
        'subscriber_id', held.subscriber_id, 'dropped', (s.state is null)::int,
        'delivered', (s.state is not null and s.status = 'sent')::int,
        'bounced', (s.state is not null and s.status = 'bounced')::int);
    end if;
  end loop;
  return coalesce(to_jsonb(changes), '[]');
end $$;
