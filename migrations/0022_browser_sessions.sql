-- Settings that users make for themselves, in all their tenants.
alter table users add column locale text;
alter table users add column time_zone text;
alter table users add column preferences json not null default '{}';

-- Sessions of browsers, in the tenant where the user signed in. The cookie holds the token; only its digest is stored.
create table browser_sessions (
  tenant_id uuid not null,
  id uuid not null,
  digest bytea not null,
  user_id uuid not null,
  created_at timestamptz not null,
  -- Updated at most once a minute, together with expires_at.
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  -- Until then, sensitive calls need no password.
  confirmed_until timestamptz not null,
  remember boolean not null,
  ip_address text not null,
  user_agent text,
  primary key (tenant_id, id),
  constraint browser_sessions_digest unique (tenant_id, digest)
);
select tessera_isolate('browser_sessions');
create index browser_sessions_by_user on browser_sessions (tenant_id, user_id);
create index browser_sessions_by_end on browser_sessions (expires_at);
-- A session ends with the membership, so that all sessions of a user are in tenants of the user.
alter table browser_sessions add foreign key (tenant_id, user_id) references memberships (tenant_id, user_id)
  on delete cascade;
