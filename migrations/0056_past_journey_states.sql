-- Whose the states of deleted journeys were, which leave their history behind: it goes when the person is erased.
create table journey_past_states (
  tenant_id uuid not null,
  subscriber_id uuid not null,
  state_id uuid not null,
  primary key (tenant_id, subscriber_id, state_id)
);
select tessera_isolate('journey_past_states');
