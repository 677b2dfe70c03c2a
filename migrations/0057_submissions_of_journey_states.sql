-- The submission that let somebody in, whose answers go when it is erased.
alter table journey_states add column submission_id uuid;
create index journey_states_submission on journey_states (tenant_id, submission_id) where submission_id is not null;
