-- planner: by keys, joins in memory
-- Acknowledges messages with the results of their attempts: [{tenant_id, id, claim_id, state, due_at, faults,
-- error, status, rendered_at, render_error, suppressed_by, sent_at, relay_answer, ended_at}], in key order. A message
-- without a state is dropped. Returns the changes to be counted (tessera_count_messages). `tenant`: see
-- tessera_tenant_sql.
--
-- A message that another worker has claimed stays unchanged, unless the relay has accepted it. Then the result is
-- recorded anyway, so that it is not sent again, and a later claim can no longer acknowledge it. A message that bounced
-- before its acceptance was recorded stays bounced: only a queued message gets another status. Errors of an erased
-- recipient are not stored, because they may contain the address.
--
-- All messages are locked first, including unchanged ones: every writer locks all its messages before counting, to
-- avoid deadlocks. Then they are updated by their physical location, because with tenant isolation the planner
-- underestimates the table and would scan all of it for a join.
create function tessera_acknowledge_messages(tenant uuid, acks json) returns jsonb
language plpgsql as $$
declare
  changes jsonb;
begin
  execute format($query$
    select count(*) from json_to_recordset($1) as k (tenant_id uuid, id uuid)
    cross join lateral (
      select from email_messages m where m.tenant_id = %1$s and m.id = k.id limit 1 for no key update) m$query$,
    tessera_tenant_sql(tenant, 'k.tenant_id')) using acks;
  execute format($query$
    with writable as materialized (
      -- If two attempts sent one message, the one that the relay accepted counts.
      select distinct on (s.tenant_id, s.id) s.*, m.location, m.status = 'queued' as was_queued, m.erased
      from json_to_recordset($1) as s (tenant_id uuid, id uuid, claim_id uuid, state text, due_at timestamptz,
        faults int, error text, status text, rendered_at timestamptz, render_error json, suppressed_by text,
        sent_at timestamptz, relay_answer text, ended_at timestamptz)
      cross join lateral (
        select m.ctid as location, m.status, m.recipient = '' as erased, m.state = 'pending' and m.claim_id = s.claim_id as is_claimed
        from email_messages m where m.tenant_id = %1$s and m.id = s.id limit 1) m
      where m.is_claimed or s.sent_at is not null
      order by s.tenant_id, s.id, s.sent_at
    ), dropped as (
      delete from email_messages m using writable s
      where m.tenant_id = %1$s and m.ctid = s.location and s.state is null
      returning m.tenant_id, m.transmission_id, m.subscriber_id, 1 as dropped, 0 as delivered, 0 as bounced
    ), recorded as (
      update email_messages m set
        state = case when m.state = 'pending' then s.state else m.state end,
        due_at = case when m.state = 'pending' then s.due_at else m.due_at end, claim_id = null,
        attempts = case when m.state = 'pending' then m.attempts + 1 else m.attempts end,
        faults = s.faults, last_error = case when s.erased then m.last_error else s.error end,
        status = case when s.was_queued then s.status else m.status end,
        rendered_at = coalesce(s.rendered_at, m.rendered_at),
        render_error = case when s.erased then null else s.render_error end,
        suppressed_by = s.suppressed_by, sent_at = s.sent_at,
        relay_answer = case when s.erased then null else s.relay_answer end, ended_at = s.ended_at
      from writable s
      where m.tenant_id = %1$s and m.ctid = s.location and s.state is not null
      returning m.tenant_id, m.transmission_id, m.subscriber_id, 0 as dropped,
        (s.was_queued and s.status = 'sent')::int as delivered, (s.was_queued and s.status = 'bounced')::int as bounced
    )
    select coalesce(jsonb_agg(c), '[]') from (select * from dropped union all select * from recorded) c
    where c.subscriber_id is not null and c.dropped + c.delivered + c.bounced > 0$query$,
    tessera_tenant_sql(tenant, 's.tenant_id')) into changes using acks;
  return changes;
end $$;
