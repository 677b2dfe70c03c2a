-- The last use of a browser session or API key by a member, in this tenant, to the minute.
alter table memberships add column last_seen_at timestamptz;
