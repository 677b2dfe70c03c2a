-- Settings that the owners of a tenant change. `session_hours`: a browser session ends after so many hours without a call.
alter table tenants add column time_zone text not null default 'UTC';
alter table tenants add column session_hours integer not null default 12;
-- Citus adds constraints only by themselves and with a name.
alter table tenants add constraint tenants_session_hours check (session_hours between 1 and 720);
alter table tenants add column version integer not null default 1;
