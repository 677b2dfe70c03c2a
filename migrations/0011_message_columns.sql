-- A status code belongs to deliveries over HTTP: nothing ever read that of a message.
drop view email_messages_transactional;
drop view email_messages_bulk;
alter table email_messages drop column last_status_code;
create view email_messages_transactional with (security_invoker = true) as
  select tenant_id, id, target_id, state, due_at, attempts, last_error from email_messages where lane = 0;
create view email_messages_bulk with (security_invoker = true) as
  select tenant_id, id, target_id, state, due_at, attempts, last_error from email_messages where lane = 1;
