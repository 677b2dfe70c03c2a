-- The list of deleted records of all kinds, newest first. `record_history_deleted` serves the lists of one kind.
create index record_history_newest_deleted on record_history (tenant_id, recorded_at desc, entity_type, sort_key)
  where deleted;
