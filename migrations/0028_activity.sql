-- Changes by members and operators, newest first: of one kind and unit, and of one member. The list reads each kind and
-- unit that its caller may see. Submissions are left out, so that storing one does not write to these indexes.
create index record_history_activity on record_history
  (tenant_id, entity_type, owner_bu_id, recorded_at desc, sort_key desc, version desc, deleted desc)
  where entity_type <> 'form_submission' and actor ->> 'kind' in ('member', 'operator');

-- A column, because row-level security is evaluated before operators of JSON, which then cannot use an index.
alter table record_history add column membership_id text generated always as (actor ->> 'membership_id') stored;
-- The same condition as above: the planner takes it for rare, and without it would prefer the other index.
create index record_history_activity_of_member on record_history
  (tenant_id, membership_id, entity_type, owner_bu_id, recorded_at desc, sort_key desc, version desc, deleted desc)
  where entity_type <> 'form_submission' and actor ->> 'kind' in ('member', 'operator');
