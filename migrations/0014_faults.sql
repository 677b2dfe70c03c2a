-- Tries that count against a row: attempts that broke by a fault of ours and, of messages, those that the relay refused for
-- now or left unanswered. `attempts` counts all, also those that an outage of the relay or of a receiver took.
alter table webhook_deliveries add column faults int not null default 0;
alter table email_event_deliveries add column faults int not null default 0;
alter table email_messages rename column refusals to faults;
alter table jobs add column faults int not null default 0;
update jobs set faults = attempts where attempts > 0;

-- What a claim of messages brings along.
create or replace view email_messages_transactional with (security_invoker = true) as
  select tenant_id, id, target_id, state, due_at, attempts, last_error, faults, transmission_id, recipient, address, name,
    header_to, metadata, substitution_data
  from email_messages where lane = 0;
create or replace view email_messages_bulk with (security_invoker = true) as
  select tenant_id, id, target_id, state, due_at, attempts, last_error, faults, transmission_id, recipient, address, name,
    header_to, metadata, substitution_data
  from email_messages where lane = 1;

-- For the removal of jobs that were given up long ago.
create index jobs_failed on jobs (due_at) where state = 'failed';
