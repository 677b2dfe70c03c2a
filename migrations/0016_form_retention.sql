-- Submissions that are older are erased; null: they stay.
alter table forms add column retention_days int check (retention_days > 0);
