-- What led to a run, a delivery or a state of a journey: {"root": id, "chain": [keys]}; null: nothing of the platform.

-- The first run of the chain, or what else began it; null: the run begins one.
alter table automation_runs add column root_id uuid;
-- Counts the runs that one event has caused.
create index automation_runs_caused on automation_runs (tenant_id, root_id) where root_id is not null;

alter table webhook_deliveries add column cause json;
alter table entity_changes add column cause json;
alter table subscriber_signals add column cause json;
alter table journey_states add column cause json;
