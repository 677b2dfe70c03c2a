-- People who have signed in. A session lasts as long as its refresh tokens are exchanged in time; it ends by being deleted.
create table sessions (
  tenant_id uuid not null,
  id uuid not null,
  membership_id uuid not null,
  created_at timestamptz not null,
  -- The end of its newest refresh token.
  expires_at timestamptz not null,
  primary key (tenant_id, id)
);
select tessera_isolate('sessions');
alter table sessions
  add foreign key (tenant_id, membership_id) references memberships on delete cascade;
create index sessions_by_membership on sessions (tenant_id, membership_id);
create index sessions_by_end on sessions (expires_at);

-- Every refresh token of a session until its time is over: one that comes again after it was exchanged has been copied.
create table refresh_tokens (
  tenant_id uuid not null,
  digest bytea not null,
  session_id uuid not null,
  expires_at timestamptz not null,
  -- When it was exchanged for another; null: not yet.
  spent_at timestamptz,
  primary key (tenant_id, digest)
);
select tessera_isolate('refresh_tokens');
alter table refresh_tokens
  add foreign key (tenant_id, session_id) references sessions on delete cascade;
create index refresh_tokens_by_session on refresh_tokens (tenant_id, session_id);
create index refresh_tokens_by_end on refresh_tokens (expires_at);

-- Counts the changes of a tenant's entities, so that every process notices them with the next request.
create table entity_revisions (
  tenant_id uuid primary key references tenants on delete cascade,
  revision bigint not null
);
select tessera_isolate('entity_revisions');
