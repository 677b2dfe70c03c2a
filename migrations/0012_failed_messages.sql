-- Messages of a campaign that could not be made, and the content with which they are tried again.

-- A transmission that has no messages of its own: the content of a retry of this transmission.
alter table transmissions add column content_for uuid;
-- The transmission whose content the message has; null: that of its own.
alter table email_messages add column content_id uuid;
-- Counts them, and finds those to try again.
create index email_messages_unmade on email_messages (tenant_id, transmission_id)
  where status = 'failed' and render_error is not null;
