-- Since when something is watched: who was in a group before does not come into it.
alter table subscriber_watches add column since timestamptz not null default 'epoch';

-- Lists of states count those of a status, or at a step, in the index alone.
drop index journey_states_newest;
create index journey_states_newest on journey_states (tenant_id, target_id, created_at desc, id desc)
  include (status, current_step, owner_bu_id);
-- The states of a deleted journey end by portions, in the order of their ids.
create index journey_states_ending on journey_states (tenant_id, target_id, id) where status = 'active';
