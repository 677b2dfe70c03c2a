-- Which message a captured copy is of: it goes with it, also when the message is erased while it is being captured.
alter table email_outbox add column message_id uuid;
update email_outbox o set message_id = m.id from email_messages m
where m.tenant_id = o.tenant_id and m.relay_answer = '250 2.0.0 captured as ' || o.id;
alter table email_outbox add constraint email_outbox_message
  foreign key (tenant_id, message_id) references email_messages on delete cascade;
create index email_outbox_by_message on email_outbox (tenant_id, message_id);
