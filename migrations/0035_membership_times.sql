-- Since when somebody is in a group by name: an e-mail goes to those who were in it when its sending began.
alter table subscriber_group_members add column joined_at timestamptz not null default '-infinity';
