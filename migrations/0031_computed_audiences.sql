-- Audiences whose members are computed by filters.

alter table marketing_audiences add column filters json;
create index marketing_audiences_computed on marketing_audiences (tenant_id, id) where filters is not null;

-- Whether a filter has put them in, rather than what a subscriber says of itself.
alter table subscriber_group_members add column is_computed boolean not null default false;

-- People who were changed and whose computed audiences have not been looked at since: a ledger. Rows are only ever added and
-- removed, so that nobody who writes a subscriber waits for who works them; the target is the tenant.
create table audience_changes (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  state text not null,
  due_at timestamptz not null,
  attempts int not null,
  faults int not null default 0,
  last_error text,
  subscriber_id uuid not null,
  primary key (tenant_id, id)
);
create index audience_changes_due on audience_changes (tenant_id, target_id, due_at) where state = 'pending';
create index audience_changes_failed on audience_changes (tenant_id, due_at) where state = 'failed';
select tessera_isolate('audience_changes');

-- How far the members of each computed audience are computed: a ledger, its target the audience. Another request for the same
-- audience is the row under another id, which whoever works the former one does not find any more.
create table audience_computations (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  state text not null,
  due_at timestamptz not null,
  attempts int not null,
  faults int not null default 0,
  last_error text,
  requested_at timestamptz not null,
  -- The last subscriber that was looked at.
  position uuid,
  -- When all were; those who came meanwhile are looked at once more after that.
  finished_at timestamptz,
  -- What the filters ask about beside the subscriber's own columns.
  uses_engagement boolean not null,
  uses_fields boolean not null,
  uses_groups boolean not null,
  -- Until when openings and clicks, and the ends of their days, are taken into account.
  swept_until timestamptz not null,
  -- Conditions that cannot be met any more: [{field, message}].
  problems json not null,
  primary key (tenant_id, id),
  constraint audience_computations_target unique (tenant_id, target_id)
);
create index audience_computations_due on audience_computations (tenant_id, target_id, due_at) where state = 'pending';
create index audience_computations_swept on audience_computations (tenant_id, swept_until) where uses_engagement;
select tessera_isolate('audience_computations');

-- For the audiences that ask about them: who opened or clicked when.
create index email_messages_opened on email_messages (tenant_id, opened_at, id) where opened_at is not null;
create index email_messages_clicked on email_messages (tenant_id, clicked_at, id) where clicked_at is not null;
