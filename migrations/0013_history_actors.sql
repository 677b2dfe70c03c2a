-- Who made a version: the member, the operator, the visitor of a form or the run of an automation. Versions that are
-- older than this column do not tell.
alter table record_history add column actor json;
