-- Lists leave out messages to people who were erased, and count them.
create index email_messages_erased on email_messages (tenant_id, transmission_id) where recipient = '';
