-- planner: by keys
-- Marks clicks [{tenant_id, id}] of locked messages as a machine's, clears first clicks of messages that were among
-- them, and subtracts their link visits. Returns the changes to be counted: {messages (tessera_count_messages), links
-- (tessera_count_links)}.
create function tessera_flag_clicks(clicks json, reason text) returns jsonb language plpgsql as $$
declare
  flagged record;
  event record;
  message record;
  visit record;
  seen record;
  messages jsonb[];
  links jsonb[];
begin
  for flagged in select c.* from json_to_recordset(clicks) as c (tenant_id uuid, id uuid) order by 1, 2 loop
    update email_message_events e set machine_reason = reason
    where e.tenant_id = flagged.tenant_id and e.id = flagged.id and e.machine_reason is null
    returning e.message_id, e.url into event;
    continue when event.message_id is null;
    select m.transmission_id, m.subscriber_id, m.clicked_at into message from email_messages m
    where m.tenant_id = flagged.tenant_id and m.id = event.message_id;
    select min(e.occurred_at) as clicked_at, min(e.occurred_at) filter (where e.url = event.url) as first_at,
      max(e.occurred_at) filter (where e.url = event.url) as last_at, count(*) filter (where e.url = event.url) as clicks
    into seen from email_message_events e
    where e.tenant_id = flagged.tenant_id and e.message_id = event.message_id and e.type = 'click' and e.machine_reason is null;
    update email_messages m set clicked_at = seen.clicked_at
    where m.tenant_id = flagged.tenant_id and m.id = event.message_id;
    continue when message.subscriber_id is null;
    messages := messages || jsonb_build_object('tenant_id', flagged.tenant_id, 'transmission_id', message.transmission_id,
      'subscriber_id', message.subscriber_id, 'clicks', -1,
      'clicked', (seen.clicked_at is not null)::int - (message.clicked_at is not null)::int);
    select v.clicks into visit from email_link_visits v
    where v.tenant_id = flagged.tenant_id and v.message_id = event.message_id and v.link = md5(event.url)::uuid;
    continue when visit.clicks is null;
    if seen.clicks = 0 then
      delete from email_link_visits v
      where v.tenant_id = flagged.tenant_id and v.message_id = event.message_id and v.link = md5(event.url)::uuid;
    else
      update email_link_visits v set clicks = seen.clicks, first_clicked_at = seen.first_at, last_clicked_at = seen.last_at
      where v.tenant_id = flagged.tenant_id and v.message_id = event.message_id and v.link = md5(event.url)::uuid;
    end if;
    links := links || jsonb_build_object('tenant_id', flagged.tenant_id, 'transmission_id', message.transmission_id,
      'url', event.url, 'clicks', seen.clicks - visit.clicks, 'unique_clicks', -(seen.clicks = 0)::int);
  end loop;
  return jsonb_build_object('messages', coalesce(to_jsonb(messages), '[]'), 'links', coalesce(to_jsonb(links), '[]'));
end $$;
