-- The claim of an item that a worker has, and null for all others. It stays the same while the worker renews the lease,
-- which moves due_at.
alter table jobs add column claim_id uuid;
alter table webhook_deliveries add column claim_id uuid;
alter table email_messages add column claim_id uuid;
alter table email_event_deliveries add column claim_id uuid;
alter table subscriber_signals add column claim_id uuid;
alter table audience_changes add column claim_id uuid;
alter table audience_computations add column claim_id uuid;
alter table entity_change_deliveries add column claim_id uuid;
alter table automation_runs add column claim_id uuid;
alter table automation_schedules add column claim_id uuid;
alter table queue_outbox add column claim_id uuid;
alter table journey_states add column claim_id uuid;

create or replace view email_messages_transactional with (security_invoker = true) as
  select tenant_id, id, target_id, state, due_at, attempts, last_error, faults, transmission_id, recipient, address, name,
    header_to, metadata, substitution_data, claim_id
  from email_messages where lane = 0;
create or replace view email_messages_bulk with (security_invoker = true) as
  select tenant_id, id, target_id, state, due_at, attempts, last_error, faults, transmission_id, recipient, address, name,
    header_to, metadata, substitution_data, claim_id
  from email_messages where lane = 1;
create or replace view journey_states_stepping with (security_invoker = true) as
  select tenant_id, id, target_id, state, due_at, attempts, faults, last_error, lane, owner_bu_id, version, created_at,
    journey_version, subscriber_id, entry, status, current_step, arrived_at, waits_until, finished_at, error, history,
    steps_taken, trigger, mails, hears, heard, waits_for, waits_since, claim_id
  from journey_states where lane = 'steps';
create or replace view journey_states_calls with (security_invoker = true) as
  select tenant_id, id, target_id, state, due_at, attempts, faults, last_error, lane, owner_bu_id, version, created_at,
    journey_version, subscriber_id, entry, status, current_step, arrived_at, waits_until, finished_at, error, history,
    steps_taken, trigger, mails, hears, heard, waits_for, waits_since, claim_id
  from journey_states where lane = 'calls';
