-- The schema of the first release. SQL functions that code calls are files in src/**/sql, applied after all migrations; the
-- functions here are those that tables, indexes and later migrations need.
--
-- Every table of tenants has tenant_id first in its primary key, so that tenants can be spread over the nodes of a Citus
-- cluster, and is isolated by tessera_isolate. A table whose rows are a work queue (src/ledger) has the columns id, target_id,
-- state, due_at, attempts, faults and last_error, and an index `<table>_due`: `attempts` counts every try, `faults` only those
-- that count against the item, so not those that an outage of the relay or of a receiver took.


-- == Roles and isolation ==

-- An administrator may have created the role already, for a database owner that may not create roles.
do $$ begin
  if not exists (select from pg_roles where rolname = 'tessera_app') then
    create role tessera_app nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  grant tessera_app to current_user;
exception when insufficient_privilege then null;
end $$;
grant usage on schema public to tessera_app;
alter default privileges in schema public grant select, insert, update, delete on tables to tessera_app;

-- Puts a table under tenant isolation. The subselect makes PostgreSQL read the setting once per statement. The comparison is
-- null, and so not false, only for every tenant ('*'); without a tenant it fails
-- (docs/decisions/0003-tenant-setting-sent-on-change.md). Sharded databases use a policy without subselect (src/db/sharding.ts).
create function tessera_isolate(target regclass) returns void language plpgsql as $$ begin
  execute format('alter table %s enable row level security', target);
  execute format(
    'create policy tenant_isolation on %s using (
       (tenant_id = (select nullif(current_setting(''tessera.tenant''), ''*'')::uuid)) is not false)', target);
end $$;


-- == Tenants, members, credentials ==

create table tenants (
  tenant_id uuid primary key,
  code text not null unique,
  name text not null,
  brand_settings json not null,
  created_at timestamptz not null
);
select tessera_isolate('tenants');

-- A user may belong to several tenants, so users are global; only the identity feature reads them.
create table users (
  user_id uuid primary key,
  email text not null,
  name text not null,
  password_hash text not null,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));

create table business_units (
  tenant_id uuid not null references tenants on delete cascade,
  bu_id uuid not null,
  name text not null,
  slug text not null,
  is_default boolean not null,
  archived_at timestamptz,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (tenant_id, bu_id),
  constraint business_units_slug unique (tenant_id, slug)
);
select tessera_isolate('business_units');
-- Inserts of computed rows are joined with the Default unit to find the tenant's node (src/tenancy/tenant-home.ts).
create unique index business_units_default on business_units (tenant_id) where is_default;

create table memberships (
  tenant_id uuid not null references tenants on delete cascade,
  membership_id uuid not null,
  user_id uuid not null references users,
  is_tenant_admin boolean not null,
  status text not null check (status in ('active', 'inactive')),
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (tenant_id, membership_id),
  constraint memberships_user unique (tenant_id, user_id)
);
select tessera_isolate('memberships');
create index memberships_by_user on memberships (user_id);

create table business_unit_grants (
  tenant_id uuid not null,
  id uuid not null,
  membership_id uuid not null,
  bu_id uuid not null,
  role text not null check (role in ('viewer', 'editor', 'admin')),
  version int not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint business_unit_grants_unit unique (tenant_id, membership_id, bu_id),
  foreign key (tenant_id, membership_id) references memberships on delete cascade,
  foreign key (tenant_id, bu_id) references business_units on delete cascade
);
select tessera_isolate('business_unit_grants');

create table api_keys (
  tenant_id uuid not null,
  id uuid not null,
  membership_id uuid not null,
  name text not null,
  prefix text not null,
  digest bytea not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, membership_id) references memberships on delete cascade
);
select tessera_isolate('api_keys');
-- A request names only its key. The prefix has 80 random bits: unique in fact, not by constraint.
create index api_keys_by_prefix on api_keys (prefix);

-- A session lasts as long as its refresh tokens are exchanged in time; it ends by being deleted.
create table sessions (
  tenant_id uuid not null,
  id uuid not null,
  membership_id uuid not null,
  created_at timestamptz not null,
  -- The expiry of its newest refresh token.
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, membership_id) references memberships on delete cascade
);
select tessera_isolate('sessions');
create index sessions_by_membership on sessions (tenant_id, membership_id);
create index sessions_by_end on sessions (expires_at);

-- Every refresh token until it expires: one that is presented again after its exchange was copied.
create table refresh_tokens (
  tenant_id uuid not null,
  digest bytea not null,
  session_id uuid not null,
  expires_at timestamptz not null,
  -- When it was exchanged for another; null: not yet.
  spent_at timestamptz,
  primary key (tenant_id, digest),
  foreign key (tenant_id, session_id) references sessions on delete cascade
);
select tessera_isolate('refresh_tokens');
create index refresh_tokens_by_session on refresh_tokens (tenant_id, session_id);
create index refresh_tokens_by_end on refresh_tokens (expires_at);


-- == What all areas share: secrets, history, repeated requests, jobs ==

-- The keys that encrypt secrets of this database: more than one during a rotation. Only its own key decrypts `check_value`, so
-- that a start with a different key is refused.
create table secret_keys (
  key_id text primary key,
  check_value text not null,
  noted_at timestamptz not null
);

-- Every version of every versioned record.
create table record_history (
  tenant_id uuid not null references tenants on delete cascade,
  entity_type text not null,
  sort_key text not null,
  version int not null,
  -- The last version of a deleted record appears twice: as a version and as the deleted record.
  deleted boolean not null,
  owner_bu_id uuid,
  recorded_at timestamptz not null,
  data json not null,
  -- Who made the version: the member, the operator, the visitor of a form or the run of an automation.
  actor json,
  primary key (tenant_id, entity_type, sort_key, version, deleted)
);
select tessera_isolate('record_history');
create index record_history_deleted on record_history (tenant_id, entity_type, recorded_at desc) where deleted;

create table idempotency_keys (
  tenant_id uuid not null,
  caller text not null,
  key text not null,
  fingerprint bytea not null,
  status int,
  answer text,
  leased_until timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, caller, key)
);
select tessera_isolate('idempotency_keys');
create index idempotency_keys_age on idempotency_keys (created_at);

-- Background jobs: a work queue. The platform's own jobs use the greatest uuid as tenant. A schedule is one row, whose id is that
-- of its kind, and which becomes due again.
create table jobs (
  tenant_id uuid not null,
  id uuid not null,
  -- The kind of job: md5 of its name.
  target_id uuid not null,
  state text not null,
  due_at timestamptz not null,
  attempts int not null,
  last_error text,
  name text not null,
  payload json not null,
  -- When the first attempt is planned; of a schedule its next time.
  planned_at timestamptz not null,
  faults int not null default 0,
  primary key (tenant_id, id)
);
select tessera_isolate('jobs');
create index jobs_due on jobs (tenant_id, target_id, due_at) where state = 'pending';
-- For the removal of jobs that failed long ago.
create index jobs_failed on jobs (due_at) where state = 'failed';


-- == Forms and their webhooks ==

create table form_themes (
  tenant_id uuid not null references tenants on delete cascade,
  code text not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  "formBuilderThemeOptions" json not null,
  primary key (tenant_id, code)
);
select tessera_isolate('form_themes');
create index form_themes_newest on form_themes (tenant_id, created_at desc, code desc);

create table forms (
  tenant_id uuid not null references tenants on delete cascade,
  code text not null,
  public_code text not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  allowed_origins json not null,
  active boolean not null,
  form_type text not null,
  "formBuilderOptions" json not null,
  theme_code text,
  email_question text,
  post_submit_actions json,
  subscriber_mapping json,
  -- Older submissions are erased; null: they stay.
  retention_days int check (retention_days > 0),
  -- {emails, reply_to_respondent}: the recipients of a mail for each submission.
  notify json,
  -- True if visitors solve a challenge before they submit the embedded form.
  challenge boolean not null default false,
  primary key (tenant_id, code)
);
select tessera_isolate('forms');
create index forms_newest on forms (tenant_id, created_at desc, code desc);
create index forms_by_public_code on forms (public_code);

-- Exact totals that cost the same for a million submissions as for ten: incremented with every submission and embed view, spread
-- over slots so that visitors of one form do not wait for each other's row lock.
create table form_counts (
  tenant_id uuid not null references tenants on delete cascade,
  form_code text not null,
  slot smallint not null,
  owner_bu_id uuid not null,
  submissions bigint not null,
  views bigint not null,
  primary key (tenant_id, form_code, slot)
);
select tessera_isolate('form_counts');

create table form_submissions (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  form_code text not null,
  form_name text not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  email_address text not null,
  form_data json not null,
  subscriber_created boolean not null,
  journey_triggered boolean not null,
  ip_address text,
  user_agent text,
  events json not null,
  -- Normal form of the address: an erasure finds the submissions of one subscriber among millions.
  address_key text not null,
  primary key (tenant_id, id)
);
select tessera_isolate('form_submissions');
create index form_submissions_newest on form_submissions (tenant_id, created_at desc, id desc);
create index form_submissions_by_form on form_submissions (tenant_id, form_code, created_at desc, id desc);
create index form_submissions_by_address on form_submissions (tenant_id, email_address, created_at desc, id desc);
create index form_submissions_by_person on form_submissions (tenant_id, address_key);

-- Challenges that were solved and used once.
create table used_challenges (
  tenant_id uuid not null references tenants on delete cascade,
  seed text not null,
  created_at timestamptz not null,
  primary key (tenant_id, seed)
);
select tessera_isolate('used_challenges');
create index used_challenges_age on used_challenges (created_at);

create table webhooks (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  form_code text not null,
  url text not null,
  -- [{name, value, is_secret}]; the value of a secret one is encrypted under the webhook's id.
  headers json not null,
  active boolean not null,
  test_data json not null,
  last_attempt_at timestamptz,
  last_attempt_status text check (last_attempt_status in ('success', 'failed')),
  -- Signs deliveries; encrypted under the webhook's id.
  signing_secret text,
  primary key (tenant_id, id)
);
select tessera_isolate('webhooks');
create index webhooks_newest on webhooks (tenant_id, created_at desc, id desc);
-- Read by every submission.
create index webhooks_by_form on webhooks (tenant_id, form_code);

-- Deliveries: a work queue, its target the webhook. No foreign keys: a submission writes here without locking its webhooks, and
-- a delivery whose webhook or submission is gone is dropped when it is claimed.
create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  submission_id uuid not null,
  state text not null check (state in ('pending', 'success', 'failed')),
  due_at timestamptz not null,
  attempts int not null,
  last_status_code int,
  last_error text,
  created_at timestamptz not null,
  faults int not null default 0,
  primary key (tenant_id, id)
);
select tessera_isolate('webhook_deliveries');
create index webhook_deliveries_due on webhook_deliveries (tenant_id, target_id, due_at) where state = 'pending';
create index webhook_deliveries_newest on webhook_deliveries (tenant_id, target_id, created_at desc, id desc);


-- == Email: settings, domains, suppressions, templates ==

create table email_settings (
  tenant_id uuid primary key references tenants on delete cascade,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sender_identities json not null,
  whitelist_recipient_rules json not null,
  subscription_types json not null,
  subscriber_additional_fields json not null,
  sandbox_mode boolean not null
);
select tessera_isolate('email_settings');

create table sending_domains (
  tenant_id uuid not null references tenants on delete cascade,
  domain text not null,
  created_at timestamptz not null,
  -- The operator vouches for it: it is verified whatever its DNS records say.
  vouched boolean not null,
  -- Since when its bounce name points here; null: it does not. The first of a tenant is the default bounce domain. Set only for a
  -- domain that has proved to be the tenant's, which its bounce name alone does not.
  bounces_since timestamptz,
  dkim_selector text not null,
  -- PEM, encrypted under `<tenant>/<domain>`.
  dkim_private_key text not null,
  -- DER of the SubjectPublicKeyInfo in base64, as DNS has it.
  dkim_public_key text not null,
  status json not null,
  primary key (tenant_id, domain)
);
select tessera_isolate('sending_domains');

-- The address to which a mail provider reports what became of mail: one for each provider.
create table mail_provider_hooks (
  tenant_id uuid not null references tenants on delete cascade,
  provider text not null,
  -- The token in the address names it.
  id uuid not null,
  -- Encrypted under the id.
  signing_key text,
  created_at timestamptz not null,
  primary key (tenant_id, provider)
);
select tessera_isolate('mail_provider_hooks');

-- `recipient` is the normal form of an address: trimmed and in lower case.
create table email_suppressions (
  tenant_id uuid not null references tenants on delete cascade,
  recipient text not null,
  type text not null check (type in ('bounce', 'complaint', 'unsubscribe')),
  description text not null,
  created_at timestamptz not null,
  -- The subscription types of the messages that were unsubscribed from; null: none or unknown. Subscribing to all of them again
  -- removes the entry; without types, subscribing to any does.
  left_types text[],
  primary key (tenant_id, recipient)
);
select tessera_isolate('email_suppressions');
create index email_suppressions_newest on email_suppressions (tenant_id, created_at desc, recipient desc);

-- Results of imports of suppressions, which are finished when the request is answered.
create table suppression_imports (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  created_at timestamptz not null,
  total int not null,
  created int not null,
  failed int not null,
  -- [{line, message}], the first 1,000.
  errors json not null,
  primary key (tenant_id, id)
);
select tessera_isolate('suppression_imports');
create index suppression_imports_newest on suppression_imports (tenant_id, created_at desc, id desc);

-- The key that derives the stand-ins for addresses of erased subscribers in suppressions; encrypted under `<tenant>/suppressions`.
create table suppression_keys (
  tenant_id uuid primary key references tenants on delete cascade,
  key text not null
);
select tessera_isolate('suppression_keys');

create table email_templates (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  -- Readable by every unit; only tenant owners change it.
  shared boolean not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  from_email text not null,
  from_name text,
  reply_to text,
  description text,
  type text,
  transactional boolean not null,
  open_tracking boolean not null,
  click_tracking boolean not null,
  -- The greatest number that a version of it ever had.
  last_version int not null,
  primary key (tenant_id, id)
);
select tessera_isolate('email_templates');
create index email_templates_newest on email_templates (tenant_id, created_at desc, id desc);

-- Read through its template, which has the owner.
create table email_template_versions (
  tenant_id uuid not null,
  id uuid not null,
  template_id uuid not null,
  version int not null,
  active boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  subject text not null,
  html_content text not null,
  plain_content text,
  generate_plain_content boolean not null,
  template_builder_content json,
  test_data json,
  data_fields_schema json,
  attachments json,
  primary key (tenant_id, id),
  constraint email_template_versions_number unique (tenant_id, template_id, version),
  foreign key (tenant_id, template_id) references email_templates on delete cascade
);
select tessera_isolate('email_template_versions');
create unique index email_template_versions_active on email_template_versions (tenant_id, template_id) where active;

create table email_template_snippets (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  content text not null,
  description text,
  primary key (tenant_id, id),
  constraint email_template_snippets_name unique (tenant_id, name)
);
select tessera_isolate('email_template_snippets');
create index email_template_snippets_newest on email_template_snippets (tenant_id, created_at desc, id desc);

-- Distinct tags, of which a tenant has at most 100.
create table email_tags (
  tenant_id uuid not null references tenants on delete cascade,
  tag text not null,
  primary key (tenant_id, tag)
);
select tessera_isolate('email_tags');


-- == Email: messages and what happens to them ==

create table transmissions (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  created_at timestamptz not null,
  -- When the messages become due; null: at once.
  scheduled_at timestamptz,
  -- When all messages were written. Whether it is sending or completed follows from the messages alone, so that no message ever
  -- waits for a row that all of them would change.
  generated_at timestamptz,
  cancelled_at timestamptz,
  description text,
  campaign_id text,
  transactional boolean not null,
  -- The content, resolved when the transmission was accepted: sender, subject, html, text, attachments, snippets.
  content json not null,
  options json not null,
  metadata json,
  substitution_data json,
  return_path text,
  recipients int not null,
  -- Memory that one message takes while it is rendered, estimated; known before the content is read.
  message_bytes int not null default 0,
  -- The tags of its messages, so that lists by tag do not read the messages.
  tags json not null default '[]',
  primary key (tenant_id, id)
);
select tessera_isolate('transmissions');
create index transmissions_newest on transmissions (tenant_id, created_at desc, id desc);

-- One row per recipient: a work queue in two lanes, the recipient, and what became of the message.
create table email_messages (
  tenant_id uuid not null,
  id uuid not null,
  -- Hash of lane and recipient domain: limits concurrency.
  target_id uuid not null,
  -- 0: transactional, overtakes 1: bulk.
  lane smallint not null,
  state text not null,
  due_at timestamptz not null,
  attempts int not null,
  last_error text,
  transmission_id uuid not null,
  position int not null,
  created_at timestamptz not null,
  -- Normal form of the address, and the address as it was given.
  recipient text not null,
  address text not null,
  name text,
  header_to text,
  tags json,
  metadata json,
  substitution_data json,
  status text not null check (status in ('queued', 'sent', 'failed', 'suppressed', 'bounced')),
  -- The rule that suppressed it: sandbox, or the type of a suppression.
  suppressed_by text,
  rendered_at timestamptz,
  -- What was wrong with the template or its data, and where.
  render_error json,
  sent_at timestamptz,
  relay_answer text,
  ended_at timestamptz,
  bounced_at timestamptz,
  bounce_class text,
  bounce_reason text,
  complained_at timestamptz,
  unsubscribed_at timestamptz,
  opened_at timestamptz,
  clicked_at timestamptz,
  -- Includes the tries that the relay refused for now or left unanswered.
  faults int not null default 0,
  -- The subscriber that a campaign's message is for; null: the message is for an address alone.
  subscriber_id uuid,
  primary key (tenant_id, id)
);
select tessera_isolate('email_messages');
create index email_messages_due on email_messages (lane, tenant_id, target_id, due_at) where state = 'pending';
create index email_messages_by_transmission on email_messages (tenant_id, transmission_id, position);
create index email_messages_by_recipient on email_messages (tenant_id, recipient, created_at desc);
create index email_messages_by_subscriber on email_messages (tenant_id, subscriber_id, created_at desc)
  where subscriber_id is not null;
-- For audiences that ask who opened or clicked when.
create index email_messages_opened on email_messages (tenant_id, opened_at, id) where opened_at is not null;
create index email_messages_clicked on email_messages (tenant_id, clicked_at, id) where clicked_at is not null;
-- Messages of a campaign, newest first: each is in one of these two.
create index email_messages_unclicked on email_messages (tenant_id, transmission_id, created_at desc, id desc)
  where subscriber_id is not null and clicked_at is null;
create index email_messages_followed on email_messages (tenant_id, transmission_id, created_at desc, id desc)
  where subscriber_id is not null and clicked_at is not null;

-- The lanes are work queues of their own, so that bulk mail never takes the places of transactional mail. The columns are those
-- that a claim returns.
create view email_messages_transactional with (security_invoker = true) as
  select tenant_id, id, target_id, state, due_at, attempts, last_error, faults, transmission_id, recipient, address, name,
    header_to, metadata, substitution_data
  from email_messages where lane = 0;
create view email_messages_bulk with (security_invoker = true) as
  select tenant_id, id, target_id, state, due_at, attempts, last_error, faults, transmission_id, recipient, address, name,
    header_to, metadata, substitution_data
  from email_messages where lane = 1;

-- Opens, clicks, bounces, complaints, unsubscribes: what happened to a message, in the order it was seen.
create table email_message_events (
  tenant_id uuid not null,
  id uuid not null,
  message_id uuid not null,
  type text not null check (type in ('delivery', 'bounce', 'complaint', 'open', 'click', 'unsubscribe')),
  occurred_at timestamptz not null,
  url text,
  ip_address text,
  user_agent text,
  -- Why this open or click does not count as a human's; null: it counts.
  machine_reason text,
  detail text,
  bounce_class text check (bounce_class in ('hard', 'soft')),
  primary key (tenant_id, id)
);
select tessera_isolate('email_message_events');
create index email_message_events_by_message on email_message_events (tenant_id, message_id, occurred_at);

create table email_event_webhooks (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  position int not null,
  name text not null,
  target text not null,
  events json not null,
  active boolean not null,
  -- Encrypted under the webhook's id.
  secret text,
  last_successful timestamptz,
  last_failure timestamptz,
  primary key (tenant_id, id)
);
select tessera_isolate('email_event_webhooks');

-- Deliveries of message events to event webhooks: a work queue, its target the webhook.
create table email_event_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  state text not null,
  due_at timestamptz not null,
  attempts int not null,
  last_status_code int,
  last_error text,
  event_id uuid not null,
  created_at timestamptz not null,
  faults int not null default 0,
  primary key (tenant_id, id)
);
select tessera_isolate('email_event_deliveries');
create index email_event_deliveries_due on email_event_deliveries (tenant_id, target_id, due_at) where state = 'pending';

-- Messages captured for reading instead of being sent, while no relay is configured.
create table email_outbox (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  created_at timestamptz not null,
  envelope_from text not null,
  recipient text not null,
  header_from text not null,
  subject text not null,
  raw bytea not null,
  -- Its message: the copy is deleted with it, even if the message is erased during the capture.
  message_id uuid,
  primary key (tenant_id, id),
  constraint email_outbox_message foreign key (tenant_id, message_id) references email_messages on delete cascade
);
select tessera_isolate('email_outbox');
create index email_outbox_newest on email_outbox (created_at desc, id desc);
create index email_outbox_by_message on email_outbox (tenant_id, message_id);

-- Figures of the messages to subscribers, updated by every change of a message, so that reading figures counts nothing. Several
-- slots for each transmission, so that writers do not wait for each other. Mail to addresses alone is not counted.
create table email_sending_counts (
  tenant_id uuid not null,
  transmission_id uuid not null,
  slot smallint not null,
  -- That of the transmission.
  campaign_id text not null,
  -- Messages that were removed because nobody was to receive them any more.
  dropped bigint not null,
  -- Messages by what became of them.
  delivered bigint not null,
  bounced bigint not null,
  opened bigint not null,
  clicked bigint not null,
  unsubscribed bigint not null,
  -- How often subscribers opened and clicked.
  opens bigint not null,
  clicks bigint not null,
  -- Subscribers with a delivered message, each once in a campaign: of all its sendings together.
  reached bigint not null,
  primary key (tenant_id, transmission_id, slot)
);
select tessera_isolate('email_sending_counts');
create index email_sending_counts_by_campaign on email_sending_counts (tenant_id, campaign_id);

-- How many delivered messages of a campaign a subscriber has.
create table email_campaign_reach (
  tenant_id uuid not null,
  campaign_id text not null,
  subscriber_id uuid not null,
  messages int not null,
  primary key (tenant_id, campaign_id, subscriber_id)
);
select tessera_isolate('email_campaign_reach');

-- The links that subscribers followed. `link` is the hash of the address, which may be too long for an index.
create table email_sending_links (
  tenant_id uuid not null,
  transmission_id uuid not null,
  link uuid not null,
  url text not null,
  clicks bigint not null,
  -- Messages from which it was followed.
  unique_clicks bigint not null,
  primary key (tenant_id, transmission_id, link)
);
select tessera_isolate('email_sending_links');

-- Which message led to which link.
create table email_link_visits (
  tenant_id uuid not null,
  message_id uuid not null,
  link uuid not null,
  transmission_id uuid not null,
  clicks int not null,
  first_clicked_at timestamptz not null,
  last_clicked_at timestamptz not null,
  primary key (tenant_id, message_id, link)
);
select tessera_isolate('email_link_visits');
create index email_link_visits_first on email_link_visits (tenant_id, transmission_id, link, first_clicked_at);
create index email_link_visits_last on email_link_visits (tenant_id, transmission_id, link, last_clicked_at);


-- == Subscribers ==

-- Search keys: pieces of text and values of fields, each as a number that belongs to its tenant. Indexes are built on these
-- functions, so they are here and must never return anything else.

-- Every run of `size` characters of a text in lower case.
create function tessera_text_keys(tenant uuid, given text, size int) returns bigint[]
language plpgsql immutable strict parallel safe as $$
declare
  seed constant bigint := uuid_hash_extended(tenant, size);
  keys bigint[] := '{}';
begin
  for place in 1 .. length(given) - size + 1 loop
    keys := keys || hashtextextended(substr(given, place, size), seed);
  end loop;
  return keys;
end $$;

-- A value of a field as text, as a number, or as the moment that a text names (a date alone: its midnight in UTC); null: the text
-- names no moment.
create function tessera_value_key(tenant uuid, field text, kind text, value text) returns bigint
language plpgsql immutable strict parallel safe as $$
declare
  seed constant bigint := hashtextextended(kind || ' ' || field, uuid_hash_extended(tenant, 0));
begin
  if kind = 'text' then return hashtextextended(value, seed); end if;
  if kind = 'number' then return hashfloat8extended(value::float8, seed); end if;
  if value !~ '^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$' then return null; end if;
  begin
    return hashfloat8extended(extract(epoch from (case
      when length(value) = 10 then value || 'T00:00Z'
      when value ~ 'T.*[Z+-]' then value
      else value || 'Z' end)::timestamptz)::float8, seed);
  exception when data_exception then
    return null;
  end;
end $$;

-- All keys of a subscriber. A number has a key of its text, too: filters of a field without a definition compare texts.
create function tessera_subscriber_keys(tenant uuid, first_name text, last_name text, email text, fields json) returns bigint[]
language plpgsql immutable parallel safe cost 1000 as $$
declare
  searched constant text := lower(first_name || E'\n' || coalesce(last_name, '') || E'\n' || email);
  keys bigint[] := public.tessera_text_keys(tenant, searched, 3) || public.tessera_text_keys(tenant, searched, 5);
  member record;
begin
  if json_typeof(fields) is distinct from 'object' then return keys; end if;
  for member in select f.key, f.value #>> '{}' as text, json_typeof(f.value) as type from json_each(fields) f loop
    keys := keys || public.tessera_value_key(tenant, member.key, 'text', member.text);
    if member.type = 'number' then
      keys := keys || public.tessera_value_key(tenant, member.key, 'number', member.text);
    elsif member.text ~ '^\d{4}-\d{2}-\d{2}' then
      keys := keys || public.tessera_value_key(tenant, member.key, 'time', member.text);
    end if;
  end loop;
  return array_remove(keys, null);
end $$;

create table subscribers (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  first_name text not null,
  last_name text,
  email text not null,
  -- Normal form of the address: trimmed and in lower case.
  address_key text not null,
  active boolean not null,
  -- Why it is inactive; null while active.
  inactive_reason text,
  additional_fields_data json,
  primary key (tenant_id, id),
  constraint subscribers_address unique (tenant_id, address_key, owner_bu_id)
);
select tessera_isolate('subscribers');
create index subscribers_newest on subscribers (tenant_id, created_at desc, id desc);
create index subscribers_keys on subscribers
  using gin (tessera_subscriber_keys(tenant_id, first_name, last_name, email, additional_fields_data));

-- How many subscribers a unit has: the total of a list without filters.
create table subscriber_counts (
  tenant_id uuid not null,
  owner_bu_id uuid not null,
  slot smallint not null,
  subscribers bigint not null,
  primary key (tenant_id, owner_bu_id, slot)
);
select tessera_isolate('subscriber_counts');

-- Choices of subscribers. Without a choice a subscriber is subscribed to a type.
create table subscription_preferences (
  tenant_id uuid not null,
  subscriber_id uuid not null,
  subscription_type_id text not null,
  subscribed boolean not null,
  subscribed_date timestamptz not null,
  -- Null while subscribed.
  unsubscribed_date timestamptz,
  primary key (tenant_id, subscriber_id, subscription_type_id)
);
select tessera_isolate('subscription_preferences');
create index subscription_preferences_off on subscription_preferences (tenant_id, subscription_type_id, subscriber_id)
  where not subscribed;

-- When an address was last asked to confirm its subscription, so that nobody can trigger that more often than hourly.
create table confirmation_mails (
  tenant_id uuid not null references tenants on delete cascade,
  -- Normal form of the address.
  address_key text not null,
  sent_at timestamptz not null,
  primary key (tenant_id, address_key)
);
select tessera_isolate('confirmation_mails');
create index confirmation_mails_age on confirmation_mails (tenant_id, sent_at);

-- Imports of subscribers: a file is staged whole, in parts, and then applied part by part.
create table subscriber_imports (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  -- The unit of subscribers whose row names none.
  owner_bu_id uuid not null,
  created_at timestamptz not null,
  mode text not null,
  -- The list that imported subscribers join; null: only those that their rows name.
  list_id uuid,
  -- The caller and what it could reach then: rows are written with its rights.
  caller json not null,
  status text not null,
  total int not null,
  created int not null,
  updated int not null,
  failed int not null,
  -- [{line, message}], the first 1,000.
  errors json not null,
  parts int not null,
  -- How many of the parts are applied. It changes in the transaction that applies one.
  applied int not null,
  -- Which of its jobs may apply: each hands over to the next.
  turn int not null,
  -- Runs that broke.
  faults int not null,
  primary key (tenant_id, id)
);
select tessera_isolate('subscriber_imports');
create index subscriber_imports_newest on subscriber_imports (tenant_id, created_at desc, id desc);

-- Rows that are not applied yet, as they arrived. A part is deleted by the transaction that applies it.
create table subscriber_import_parts (
  tenant_id uuid not null references tenants on delete cascade,
  import_id uuid not null,
  part int not null,
  -- {columns, rows}
  content json not null,
  primary key (tenant_id, import_id, part)
);
select tessera_isolate('subscriber_import_parts');

-- Subscriptions to signals: which joins of a group, changes of a preference or of the active state are written as signals.
create table subscriber_watches (
  tenant_id uuid not null,
  kind text not null,
  -- The group, the type; empty: any.
  key text not null,
  watcher_id uuid not null,
  -- True if it counts only while the watcher is active.
  is_trigger boolean not null,
  -- Earlier members of a group cause no signal.
  since timestamptz not null default 'epoch',
  primary key (tenant_id, kind, key, watcher_id)
);
select tessera_isolate('subscriber_watches');
create index subscriber_watches_watcher on subscriber_watches (tenant_id, watcher_id);

-- Watched events of subscribers: a work queue, its target the tenant. Rows are only ever added and removed, so that writers of
-- subscribers do not wait for its workers.
create table subscriber_signals (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  state text not null,
  due_at timestamptz not null,
  attempts int not null,
  faults int not null default 0,
  last_error text,
  kind text not null,
  subscriber_id uuid not null,
  key text not null,
  occurred_at timestamptz not null,
  -- Details of the event.
  data json,
  primary key (tenant_id, id)
);
select tessera_isolate('subscriber_signals');
create index subscriber_signals_due on subscriber_signals (tenant_id, target_id, due_at) where state = 'pending';
create index subscriber_signals_failed on subscriber_signals (tenant_id, due_at) where state = 'failed';


-- == Lists and audiences ==

create table marketing_lists (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  description text,
  primary key (tenant_id, id)
);
select tessera_isolate('marketing_lists');
create index marketing_lists_newest on marketing_lists (tenant_id, created_at desc, id desc);

create table marketing_audiences (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  description text,
  -- The filters that compute its members; null: members are added by hand.
  filters json,
  primary key (tenant_id, id)
);
select tessera_isolate('marketing_audiences');
create index marketing_audiences_newest on marketing_audiences (tenant_id, created_at desc, id desc);
create index marketing_audiences_computed on marketing_audiences (tenant_id, id) where filters is not null;

-- The members of lists and audiences, which are both groups.
create table subscriber_group_members (
  tenant_id uuid not null,
  group_id uuid not null,
  subscriber_id uuid not null,
  is_audience boolean not null,
  -- True if a filter added the member; false: the subscriber's own record names the group.
  is_computed boolean not null default false,
  -- When the subscriber was added by name: an email goes to those who were members when its sending began.
  joined_at timestamptz not null default '-infinity',
  primary key (tenant_id, group_id, subscriber_id)
);
select tessera_isolate('subscriber_group_members');
create index subscriber_group_members_by_subscriber
  on subscriber_group_members (tenant_id, subscriber_id, group_id) include (is_audience);

-- How many members a group has, and how many of them are active. Several slots a group, so that writers do not wait for each other.
create table subscriber_group_counts (
  tenant_id uuid not null,
  group_id uuid not null,
  slot smallint not null,
  members bigint not null,
  active bigint not null,
  primary key (tenant_id, group_id, slot)
);
select tessera_isolate('subscriber_group_counts');

-- Changed subscribers whose computed audiences were not checked since: a work queue, its target the tenant. Rows are only ever
-- added and removed, so that writers of subscribers do not wait for its workers.
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
select tessera_isolate('audience_changes');
create index audience_changes_due on audience_changes (tenant_id, target_id, due_at) where state = 'pending';
create index audience_changes_failed on audience_changes (tenant_id, due_at) where state = 'failed';

-- How far the members of each computed audience are computed: a work queue, its target the audience. Another request for the same
-- audience replaces the row's id, so that the worker of the former one no longer finds it.
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
  -- The last subscriber that was checked.
  position uuid,
  -- When all were checked; those who were changed meanwhile are checked again after that.
  finished_at timestamptz,
  -- What the filters read beyond the subscriber's own columns.
  uses_engagement boolean not null,
  uses_fields boolean not null,
  uses_groups boolean not null,
  -- Until when opens and clicks, and the ends of their days, are included.
  swept_until timestamptz not null,
  -- Conditions that can no longer be met: [{field, message}].
  problems json not null,
  primary key (tenant_id, id),
  constraint audience_computations_target unique (tenant_id, target_id)
);
select tessera_isolate('audience_computations');
create index audience_computations_due on audience_computations (tenant_id, target_id, due_at) where state = 'pending';
create index audience_computations_swept on audience_computations (tenant_id, swept_until) where uses_engagement;


-- == Campaigns ==

create table marketing_campaigns (
  tenant_id uuid not null references tenants on delete cascade,
  code text not null,
  id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  colour text not null,
  -- As they were given, and the moments that they mean.
  start_date text not null,
  end_date text,
  starts_at timestamptz not null,
  ends_at timestamptz,
  goal text,
  audience text not null,
  primary key (tenant_id, code)
);
select tessera_isolate('marketing_campaigns');
create index marketing_campaigns_newest on marketing_campaigns (tenant_id, created_at desc, code desc);

create table marketing_emails (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  campaign_code text not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  description text,
  subject text not null,
  target_subscribers_count int,
  status text not null check (status in ('Draft', 'Ready', 'Scheduled', 'Sending', 'Sent', 'Cancelled')),
  sent_date timestamptz,
  content json,
  from_email text,
  from_name text,
  list_ids json not null,
  audience_ids json not null,
  subscription_type_id text,
  cancel_reason text,
  -- The id of the job that sends it and of the transmission that the job makes.
  job_id uuid not null,
  primary key (tenant_id, id)
);
select tessera_isolate('marketing_emails');
create index marketing_emails_newest on marketing_emails (tenant_id, campaign_code, created_at desc, id desc);
create index marketing_emails_by_job on marketing_emails (tenant_id, job_id);
-- Those that time changes: few at once.
create index marketing_emails_under_way on marketing_emails (tenant_id, sent_date) where status in ('Scheduled', 'Sending');

-- The sending of one email: its recipients are snapshot in chunks, each of which moves the place where the next begins.
create table marketing_email_sending_jobs (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  marketing_email_id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  status text not null check (status in ('freezing', 'sending', 'sent', 'cancelled')),
  recipients int not null,
  groups json not null,
  -- The last subscriber that was checked; null: none yet.
  frozen_to uuid,
  -- Messages before this position have ended.
  ended_to int not null,
  primary key (tenant_id, id)
);
select tessera_isolate('marketing_email_sending_jobs');
create index marketing_email_sending_jobs_newest on marketing_email_sending_jobs (tenant_id, created_at desc, id desc);

-- What subscribers did on sites because of mail, as the sites report.
create table marketing_events (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  type text not null check (type in ('page_view', 'purchase', 'engagement_time')),
  subscriber_id uuid not null,
  -- The email that led to it, and its campaign; null: none did.
  marketing_email_id uuid,
  campaign_code text,
  url text,
  amount numeric,
  seconds double precision,
  occurred_at timestamptz not null,
  primary key (tenant_id, id)
);
select tessera_isolate('marketing_events');
create index marketing_events_by_time on marketing_events (tenant_id, occurred_at);
create index marketing_events_by_email on marketing_events (tenant_id, marketing_email_id, subscriber_id)
  where marketing_email_id is not null;
create index marketing_events_by_subscriber on marketing_events (tenant_id, subscriber_id);

-- The same by email and subscriber, summed up as events arrive.
create table marketing_behaviour (
  tenant_id uuid not null,
  marketing_email_id uuid not null,
  subscriber_id uuid not null,
  -- That of the subscriber.
  owner_bu_id uuid not null,
  first_page_view_at timestamptz,
  last_page_view_at timestamptz,
  page_view_count int not null,
  total_engagement_time_seconds double precision not null,
  first_purchase_at timestamptz,
  last_purchase_at timestamptz,
  purchase_count int not null,
  total_purchase_amount numeric not null,
  primary key (tenant_id, marketing_email_id, subscriber_id)
);
select tessera_isolate('marketing_behaviour');
create index marketing_behaviour_buyers on marketing_behaviour (tenant_id, marketing_email_id)
  include (subscriber_id, owner_bu_id, purchase_count, total_purchase_amount) where purchase_count > 0;
create index marketing_behaviour_by_subscriber on marketing_behaviour (tenant_id, subscriber_id);


-- == Reports ==

-- Requested exports.
create table report_exports (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  created_at timestamptz not null,
  -- The member that requested it; only this member and owners of the tenant see it.
  membership_id uuid not null,
  -- The unit that the mail belongs to.
  mail_bu_id uuid not null,
  receiver_email text not null,
  report_type text not null,
  filters json not null,
  -- The units that the caller could read; null: all.
  unit_ids json,
  -- queued, running, mailed, failed: a mail has a status of its own.
  status text not null,
  attempts int not null default 0,
  rows bigint,
  -- Size of the file as it is sent; null without one.
  file_bytes bigint,
  finished_at timestamptz,
  error text,
  primary key (tenant_id, id)
);
select tessera_isolate('report_exports');
create index report_exports_oldest on report_exports (tenant_id, created_at);

-- The files of exports in parts, each compressed (gzip). The parts of the export's latest attempt are its file.
create table report_parts (
  tenant_id uuid not null,
  export_id uuid not null,
  attempt int not null,
  part int not null,
  data bytea not null,
  primary key (tenant_id, export_id, attempt, part),
  foreign key (tenant_id, export_id) references report_exports on delete cascade
);
select tessera_isolate('report_parts');
-- It is compressed already.
alter table report_parts alter column data set storage external;


-- == Records of tenants' own entities ==

-- The kinds of record that tenants define. Their records are in tables of a schema for each tenant, created with the entity.
create table entities (
  tenant_id uuid not null references tenants on delete cascade,
  name text not null,
  label text,
  owned_by text not null check (owned_by in ('tenant', 'business_unit')),
  fields json not null,
  workflow json,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, name)
);
select tessera_isolate('entities');
create index entities_by_time on entities (tenant_id, created_at desc, name desc);

-- Counts the changes of a tenant's entities, so that every process notices them with the next request.
create table entity_revisions (
  tenant_id uuid primary key references tenants on delete cascade,
  revision bigint not null
);
select tessera_isolate('entity_revisions');

-- Tables of entities that were prepared for a new definition; the preparation is dropped if the definition never arrives.
create table entity_stagings (
  tenant_id uuid not null,
  entity text not null,
  -- When the last work on it began or ended.
  worked_at timestamptz not null,
  primary key (tenant_id, entity)
);
select tessera_isolate('entity_stagings');

-- Receivers of changes of records, by the names of events.
create table entity_webhooks (
  tenant_id uuid not null,
  id uuid not null,
  url text not null,
  -- `<entity>.<created|updated|deleted>`.
  events json not null,
  -- Encrypted.
  secret text not null,
  created_at timestamptz not null,
  -- The last success and the last failure of a delivery.
  last_successful timestamptz,
  last_failure timestamptz,
  primary key (tenant_id, id)
);
select tessera_isolate('entity_webhooks');
create index entity_webhooks_newest on entity_webhooks (tenant_id, created_at desc, id desc);

-- Changes of records that a webhook subscribes to: one row for each, written with the record.
create table entity_changes (
  tenant_id uuid not null,
  id uuid not null,
  entity text not null,
  kind text not null check (kind in ('created', 'updated', 'deleted')),
  record_id uuid not null,
  -- The record as GET returns it; of a deleted one its last state.
  data json not null,
  occurred_at timestamptz not null,
  primary key (tenant_id, id)
);
select tessera_isolate('entity_changes');

-- Deliveries of changes to webhooks: a work queue, its target the webhook.
create table entity_change_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  change_id uuid not null,
  state text not null check (state in ('pending', 'success', 'failed')),
  due_at timestamptz not null,
  attempts int not null,
  faults int not null default 0,
  last_status_code int,
  last_error text,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
select tessera_isolate('entity_change_deliveries');
create index entity_change_deliveries_due on entity_change_deliveries (tenant_id, target_id, due_at) where state = 'pending';
create index entity_change_deliveries_failed on entity_change_deliveries (tenant_id, due_at) where state = 'failed';


-- == Pages: projects, models, documents, redirects ==

-- A site's models, documents, redirects and settings belong to a project, without a foreign key: a deleted project is gone at once,
-- while its contents are deleted in chunks.
create table page_projects (
  tenant_id uuid not null references tenants on delete cascade,
  id text not null,
  owner_bu_id uuid not null,
  name text not null,
  description text not null,
  is_template boolean not null,
  template_id text,
  duplicated_from text,
  -- Counts the changes of its models: the version of a template.
  model_version int not null default 1,
  synced_template_version int,
  template_synced_at timestamptz,
  redirect_config json,
  preview_config json,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select tessera_isolate('page_projects');
create index page_projects_by_time on page_projects (tenant_id, created_at desc, id desc);

-- Project ids whose contents are to be deleted: of a deleted project, or of an unfinished copy.
create table page_project_remains (
  tenant_id uuid not null,
  project_id text not null,
  -- When it was deleted, and by whom; history has both for each record.
  deleted_at timestamptz not null,
  actor json not null,
  primary key (tenant_id, project_id)
);
select tessera_isolate('page_project_remains');

-- Models that a project has from its template: the template's version, and the version that the synchronisation wrote here.
create table page_synced_models (
  tenant_id uuid not null,
  project_id text not null,
  entity_type text not null,
  id text not null,
  template_version int not null,
  own_version int not null,
  primary key (tenant_id, project_id, entity_type, id)
);
select tessera_isolate('page_synced_models');

-- One record of settings per project.
create table page_site_settings (
  tenant_id uuid not null references tenants on delete cascade,
  project_id text not null,
  owner_bu_id uuid not null,
  -- As they were written, without the members that every record has.
  settings json not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, project_id)
);
select tessera_isolate('page_site_settings');

-- Unsaved states of documents, shown to holders of a token, of which only a digest is stored.
create table page_preview_snapshots (
  tenant_id uuid not null references tenants on delete cascade,
  project_id text not null,
  digest text not null,
  owner_bu_id uuid not null,
  document_id text not null,
  -- As the document was when the snapshot was taken; null: it had never been saved.
  document_model_id text,
  uid text,
  snapshot text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, project_id, digest)
);
select tessera_isolate('page_preview_snapshots');
create unique index page_preview_snapshots_by_digest on page_preview_snapshots (tenant_id, digest);
create index page_preview_snapshots_by_time on page_preview_snapshots (created_at);

create table document_models (
  tenant_id uuid not null references tenants on delete cascade,
  project_id text not null,
  id text not null,
  owner_bu_id uuid not null,
  label text not null,
  format text not null,
  repeatable boolean not null,
  status boolean not null,
  metadata json not null,
  -- True if links may lead to its documents.
  linkable boolean not null generated always as ((metadata ->> 'linkable') is distinct from 'false') stored,
  json json not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, project_id, id)
);
select tessera_isolate('document_models');
create index document_models_newest on document_models (tenant_id, project_id, created_at desc, id desc);

-- The texts of a JSON array, each once. Generated columns use it, so it must never return anything else.
create function tessera_texts(given json) returns text[]
language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct value), '{}') from json_array_elements_text(given)
$$;

-- Pieces of pages. A core slice is the tenant's: no unit owns it, and every project has it.
create table slice_models (
  tenant_id uuid not null references tenants on delete cascade,
  project_id text not null,
  id text not null,
  owner_bu_id uuid not null,
  type text not null,
  name text not null,
  description text,
  kind text not null,
  origin text not null,
  shared boolean not null generated always as (origin = 'core') stored,
  status text not null,
  category text,
  tags json not null,
  keywords json not null,
  media json not null,
  -- What lists filter by and count.
  tag_values text[] not null generated always as (tessera_texts(tags)) stored,
  media_values text[] not null generated always as (tessera_texts(media)) stored,
  variations json not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, project_id, id)
);
select tessera_isolate('slice_models');
create unique index slice_models_core on slice_models (tenant_id, id) where shared;

-- Which slices a document model allows.
create table document_model_slices (
  tenant_id uuid not null,
  project_id text not null,
  document_model_id text not null,
  slice_id text not null,
  primary key (tenant_id, project_id, document_model_id, slice_id),
  foreign key (tenant_id, project_id, document_model_id) references document_models on delete cascade
);
select tessera_isolate('document_model_slices');
create index document_model_slices_by_slice on document_model_slices (tenant_id, slice_id, project_id);

-- Which blocks and slices a slice allows.
create table slice_model_slices (
  tenant_id uuid not null,
  project_id text not null,
  slice_model_id text not null,
  slice_id text not null,
  primary key (tenant_id, project_id, slice_model_id, slice_id),
  foreign key (tenant_id, project_id, slice_model_id) references slice_models on delete cascade
);
select tessera_isolate('slice_model_slices');
create index slice_model_slices_by_slice on slice_model_slices (tenant_id, slice_id, project_id);

create table documents (
  tenant_id uuid not null references tenants on delete cascade,
  project_id text not null,
  id text not null,
  owner_bu_id uuid not null,
  document_model_id text not null,
  uid text not null,
  name text not null,
  status text not null,
  -- JSON as text: no query looks into it.
  data text not null,
  created_by_id uuid,
  updated_by_id uuid,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, project_id, id),
  constraint documents_uid unique (tenant_id, project_id, document_model_id, uid)
);
select tessera_isolate('documents');
-- Totals of lists are counted in the index that narrows them, also for members of single units.
create index documents_newest on documents (tenant_id, project_id, created_at desc, id desc) include (owner_bu_id);
create index documents_of_model on documents (tenant_id, project_id, document_model_id, created_at desc, id desc)
  include (owner_bu_id, status);
create index documents_by_status on documents (tenant_id, project_id, status, created_at desc, id desc)
  include (owner_bu_id);
create index documents_by_uid on documents (tenant_id, project_id, uid, created_at desc, id desc);
create index documents_changed on documents (tenant_id, project_id, updated_at);

-- Search keys of documents: every run of one to three characters of name and uid. An index is built on it, so it must never
-- return anything else.
create function tessera_document_keys(tenant uuid, project text, name text, uid text) returns bigint[]
language plpgsql immutable parallel safe cost 1000 as $$
declare
  seed constant uuid := md5(tenant::text || project)::uuid;
  searched constant text := lower(name || E'\n' || uid);
begin
  return public.tessera_text_keys(seed, searched, 1) || public.tessera_text_keys(seed, searched, 2)
    || public.tessera_text_keys(seed, searched, 3);
end $$;

-- New rows wait in a short list until they are merged: a search reads all of that list, and the planner avoids a long one.
create index documents_keys on documents using gin (tessera_document_keys(tenant_id, project_id, name, uid))
  with (gin_pending_list_limit = 128);

create table page_redirects (
  tenant_id uuid not null references tenants on delete cascade,
  project_id text not null,
  id uuid not null,
  owner_bu_id uuid not null,
  source_domain text not null,
  rule_type text not null check (rule_type in ('static', 'prefix', 'regex')),
  source_url_path text,
  target_url text,
  source_pattern text,
  target_pattern text,
  redirect_type text not null check (redirect_type in ('301', '302', '308')),
  priority double precision not null,
  is_active boolean not null,
  is_external boolean not null,
  -- Of a static rule, a digest of domain and path in the form in which they are compared.
  source_digest text,
  -- Of a regular expression, the steps of its program.
  program_size int not null,
  -- Bytes that the rule takes in the memory of a process.
  octets int not null,
  -- Which change of the project's rules wrote it last.
  changed_in int not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, project_id, id),
  constraint page_redirects_source unique (tenant_id, project_id, source_digest)
);
select tessera_isolate('page_redirects');
create index page_redirects_newest on page_redirects (tenant_id, project_id, created_at desc, id desc)
  include (owner_bu_id, source_domain, rule_type, redirect_type, is_active);
create index page_redirects_changes on page_redirects (tenant_id, project_id, changed_in, id);

-- The rules of a project as a whole. Every write of a rule counts here, so that processes know whether their copy is current.
create table page_redirect_sets (
  tenant_id uuid not null references tenants on delete cascade,
  project_id text not null,
  -- Different for each project that ever had the id.
  epoch uuid not null,
  changes int not null,
  -- The last change that was a deletion.
  removed_in int not null,
  rules int not null,
  program_size int not null,
  octets int not null,
  primary key (tenant_id, project_id)
);
select tessera_isolate('page_redirect_sets');


-- == Assets ==

-- Files and images of a tenant; their bytes are in the storage, under tenant and id.
create table assets (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  name text not null,
  folder text not null,
  alt text,
  tags json not null,
  -- Detected from the bytes.
  mime_type text not null,
  size int not null,
  -- Of images, as they are displayed.
  width int,
  height int,
  sha256 text not null,
  -- How many other sizes and formats of it the storage has.
  variants int not null default 0,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select tessera_isolate('assets');
create index assets_newest on assets (tenant_id, created_at desc, id desc);
create index assets_by_folder on assets (tenant_id, folder, created_at desc, id desc);
-- A public address names no tenant.
create index assets_by_id on assets (id);

-- Files that may be in the storage and are not needed: of uploads in progress, unless they complete, and of deleted assets.
create table asset_removals (
  tenant_id uuid not null references tenants on delete cascade,
  asset_id uuid not null,
  due_at timestamptz not null,
  -- How often the removal was started.
  attempts int not null,
  primary key (tenant_id, asset_id)
);
select tessera_isolate('asset_removals');
create index asset_removals_due on asset_removals (due_at);


-- == Automations ==

create table automations (
  tenant_id uuid not null,
  key text not null,
  -- The id that runs refer to: a later automation with the same key has a different one.
  id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  app text not null,
  module text,
  active boolean not null,
  entity_key text,
  trigger_type text not null,
  trigger_params json not null,
  actions json not null,
  conditional_actions json not null,
  primary key (tenant_id, key)
);
select tessera_isolate('automations');
create index automations_newest on automations (tenant_id, created_at desc, key desc);
create unique index automations_id on automations (tenant_id, id);
create index automations_triggers on automations (tenant_id, trigger_type, entity_key) where active;

-- The definition of each version that may have runs.
create table automation_versions (
  tenant_id uuid not null,
  automation_id uuid not null,
  version int not null,
  definition json not null,
  -- When it was replaced; null: it is the current version.
  replaced_at timestamptz,
  primary key (tenant_id, automation_id, version)
);
select tessera_isolate('automation_versions');
create index automation_versions_replaced on automation_versions (tenant_id, replaced_at) where replaced_at is not null;

-- Runs: a work queue, its target the automation. A run keeps the version with which it began.
create table automation_runs (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  -- No check constraint: every statement that writes a run would parse it, 25 us each. Only SQL functions write it.
  state text not null,
  due_at timestamptz not null,
  attempts int not null,
  faults int not null default 0,
  last_error text,
  automation_version int not null,
  trigger_type text not null,
  trigger json not null,
  -- Runs of one automation for the same record are worked one after the other, in the order of their places, which is the order
  -- in which the changes committed; null: in any order.
  record_id uuid,
  place bigint not null,
  -- What started it at most once: a tick of a schedule, a message of a queue; null: nothing that may arrive twice.
  source_key text,
  -- The keys of the automations whose runs led to this one, the first one first.
  chain json not null,
  -- [{key, status, error, result}] of the finished actions, and of the one that failed.
  actions json not null default '[]',
  -- Switched off, deleted or cancelled before it began.
  is_skipped boolean not null default false,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz
)
-- Updates of a run find room on its page, which leaves the indexes as they are: 97 of 100 instead of 68.
with (fillfactor = 60);
select tessera_isolate('automation_runs');
create index automation_runs_due on automation_runs (tenant_id, target_id, due_at) where state = 'pending';
create index automation_runs_order on automation_runs (tenant_id, target_id, record_id, place)
  where state = 'pending' and record_id is not null;
create index automation_runs_newest on automation_runs (tenant_id, target_id, created_at desc, id desc);
create unique index automation_runs_source on automation_runs (tenant_id, target_id, source_key)
  where source_key is not null;
-- After all other indexes: of two that cost the same, as all of a tenant do while the table is small, the planner takes the newer
-- one, and a cached plan would continue to use it when the table is large.
alter table automation_runs add primary key (tenant_id, id);

-- The addresses of hooks: a hook that accepts any method has a row for each, so that the key detects conflicts.
create table automation_hooks (
  tenant_id uuid not null,
  path text not null,
  method text not null check (method in ('get', 'post', 'put')),
  automation_id uuid not null,
  primary key (tenant_id, path, method)
);
select tessera_isolate('automation_hooks');
create index automation_hooks_automation on automation_hooks (tenant_id, automation_id);

-- Active automations with a schedule: a work queue. The id is the automation's, the target the tenant's.
create table automation_schedules (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  state text not null check (state in ('pending', 'success', 'failed')),
  due_at timestamptz not null,
  attempts int not null,
  faults int not null default 0,
  last_error text,
  expression text not null,
  -- The next tick; it becomes due at this time, or is checked earlier.
  planned_at timestamptz not null,
  primary key (tenant_id, id)
);
select tessera_isolate('automation_schedules');
create index automation_schedules_due on automation_schedules (tenant_id, target_id, due_at) where state = 'pending';

-- The active automations that handle the messages of a queue.
create table queue_handlers (
  tenant_id uuid not null,
  automation_id uuid not null,
  queue text not null,
  primary key (tenant_id, automation_id)
);
select tessera_isolate('queue_handlers');
create index queue_handlers_queue on queue_handlers (tenant_id, queue);

-- Without a broker: messages that no automation handles yet. Handled ones are runs.
create table queue_messages (
  tenant_id uuid not null,
  id uuid not null,
  queue text not null,
  body json not null,
  -- The keys of the automations whose runs led to it, the first one first.
  chain json not null,
  primary key (tenant_id, id)
);
select tessera_isolate('queue_messages');
create index queue_messages_queue on queue_messages (tenant_id, queue, id);

-- Messages on their way to the broker: a work queue, its target the queue.
create table queue_outbox (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  state text not null check (state in ('pending', 'success', 'failed')),
  due_at timestamptz not null,
  attempts int not null,
  faults int not null default 0,
  last_error text,
  queue text not null,
  body json not null,
  chain json not null,
  primary key (tenant_id, id)
);
select tessera_isolate('queue_outbox');
create index queue_outbox_due on queue_outbox (tenant_id, target_id, due_at) where state = 'pending';


-- == Journeys ==

create table journeys (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  active boolean not null,
  trigger json not null,
  steps json not null,
  re_entry json not null,
  -- What must not be deleted while it is active: ["form:<code>", "group:<id>", "template:<id>"].
  uses json not null,
  primary key (tenant_id, id)
);
select tessera_isolate('journeys');
create index journeys_newest on journeys (tenant_id, created_at desc, id desc);
create index journeys_active on journeys (tenant_id, id) where active;

-- The steps of each version with which enrollments may have begun.
create table journey_versions (
  tenant_id uuid not null,
  journey_id uuid not null,
  version int not null,
  steps json not null,
  primary key (tenant_id, journey_id, version)
);
select tessera_isolate('journey_versions');

-- Enrollments, a subscriber's position in a journey: a work queue, its target the journey.
create table journey_states (
  tenant_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  state text not null check (state in ('pending', 'success', 'failed')),
  due_at timestamptz not null,
  attempts int not null,
  faults int not null default 0,
  last_error text,
  -- steps; calls: at a step that calls a remote service, which may be slow; parked: due in a journey that is switched off.
  lane text not null check (lane in ('steps', 'calls', 'parked')),
  owner_bu_id uuid not null,
  version int not null,
  created_at timestamptz not null,
  journey_version int not null,
  subscriber_id uuid not null,
  -- Counts how often the subscriber entered: the next one is created only when this one has ended.
  entry int not null,
  status text not null check (status in ('active', 'completed', 'exited', 'failed')),
  current_step text,
  -- When it arrived at that step, and until when it waits there; a lease moves due_at, not this.
  arrived_at timestamptz not null,
  waits_until timestamptz,
  finished_at timestamptz,
  error text,
  history json not null,
  steps_taken int not null,
  -- What started it; null: no details, or the subscriber was erased.
  trigger json,
  -- The last mail of each step: {"<step>": {"id", "at"}}.
  mails json not null,
  -- The kinds of events that a step of its version may wait for, and when the last of each happened: {"open:<message>": time}.
  hears text[] not null,
  heard jsonb not null,
  -- The event that wakes it, and since when it counts; null: none.
  waits_for text,
  waits_since timestamptz,
  -- The submission that started it: its answers are erased with the submission.
  submission_id uuid,
  primary key (tenant_id, id),
  constraint journey_states_entry unique (tenant_id, subscriber_id, target_id, entry)
);
select tessera_isolate('journey_states');
create index journey_states_due on journey_states (tenant_id, target_id, due_at) where state = 'pending' and lane = 'steps';
create index journey_states_calling on journey_states (tenant_id, target_id, due_at) where state = 'pending' and lane = 'calls';
create index journey_states_parked on journey_states (tenant_id, target_id, id) where state = 'pending' and lane = 'parked';
create index journey_states_active on journey_states (tenant_id, target_id, current_step, created_at desc, id desc)
  where status = 'active';
-- Lists by status or step are counted in the index alone.
create index journey_states_newest on journey_states (tenant_id, target_id, created_at desc, id desc)
  include (status, current_step, owner_bu_id);
-- The enrollments of a deleted journey end in chunks, in the order of their ids.
create index journey_states_ending on journey_states (tenant_id, target_id, id) where status = 'active';
create index journey_states_submission on journey_states (tenant_id, submission_id) where submission_id is not null;

-- The lanes are work queues of their own, so that slow remote services delay no other steps.
create view journey_states_stepping with (security_invoker = true) as
  select tenant_id, id, target_id, state, due_at, attempts, faults, last_error, lane, owner_bu_id, version, created_at,
    journey_version, subscriber_id, entry, status, current_step, arrived_at, waits_until, finished_at, error, history,
    steps_taken, trigger, mails, hears, heard, waits_for, waits_since
  from journey_states where lane = 'steps';
create view journey_states_calls with (security_invoker = true) as
  select tenant_id, id, target_id, state, due_at, attempts, faults, last_error, lane, owner_bu_id, version, created_at,
    journey_version, subscriber_id, entry, status, current_step, arrived_at, waits_until, finished_at, error, history,
    steps_taken, trigger, mails, hears, heard, waits_for, waits_since
  from journey_states where lane = 'calls';

-- How many enrollments have which status. Several slots each, so that writers do not wait for each other.
create table journey_counts (
  tenant_id uuid not null,
  journey_id uuid not null,
  slot smallint not null,
  active bigint not null,
  completed bigint not null,
  exited bigint not null,
  failed bigint not null,
  primary key (tenant_id, journey_id, slot)
);
select tessera_isolate('journey_counts');

-- The transmissions of a step's mails: one for each content that the step had.
create table journey_sendings (
  tenant_id uuid not null,
  journey_id uuid not null,
  step text not null,
  fingerprint text not null,
  transmission_id uuid not null,
  primary key (tenant_id, journey_id, step, fingerprint)
);
select tessera_isolate('journey_sendings');

-- The subscribers of deleted journeys' enrollments, whose history remains: it is deleted when the subscriber is erased.
create table journey_past_states (
  tenant_id uuid not null,
  subscriber_id uuid not null,
  state_id uuid not null,
  primary key (tenant_id, subscriber_id, state_id)
);
select tessera_isolate('journey_past_states');


-- == AI assistants, threads, indexes ==

-- Assistants: the instructions for a model.
create table ai_assistants (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  name text not null,
  description text not null,
  llm_configuration json not null,
  -- The indexes that are searched before it answers.
  knowledge json not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select tessera_isolate('ai_assistants');
create index ai_assistants_newest on ai_assistants (tenant_id, created_at desc, id desc);

-- A thread outlives its assistant.
create table ai_threads (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  assistant_id uuid not null,
  user_id text not null,
  name text not null,
  -- The number of its messages, and the bytes of their contents as text.
  message_count int not null,
  message_octets bigint not null,
  -- The bytes of their metadata.
  metadata_octets bigint not null,
  version int not null,
  -- The caller's.
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select tessera_isolate('ai_threads');
create index ai_threads_of_user on ai_threads (tenant_id, user_id, created_at desc, id desc);

-- Messages are added and never changed. They stay when their thread is deleted, as history shows each version of it with its
-- messages.
create table ai_thread_messages (
  tenant_id uuid not null references tenants on delete cascade,
  thread_id uuid not null,
  position int not null,
  -- The thread's version that added it.
  version int not null,
  role text not null,
  content json not null,
  metadata json,
  -- Bytes of content and metadata.
  octets int not null,
  -- The tools that it requests.
  tool_use_ids text[],
  primary key (tenant_id, thread_id, position)
);
select tessera_isolate('ai_thread_messages');
create index ai_thread_messages_with_tools on ai_thread_messages (tenant_id, thread_id) where tool_use_ids is not null;

-- Vector indexes: texts that are found by meaning and by their metadata.
create table ai_indexes (
  tenant_id uuid not null references tenants on delete cascade,
  name text not null,
  -- The id that items refer to: a later index with the same name has a different one.
  id uuid not null,
  contents_description text not null,
  metadata_definition json not null,
  -- The model of the vectors of all its items, except those that a job is recomputing.
  model text not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, name)
);
select tessera_isolate('ai_indexes');
create index ai_indexes_newest on ai_indexes (tenant_id, created_at desc, name desc);
create unique index ai_indexes_id on ai_indexes (tenant_id, id);

-- No foreign key: an index is deleted at once, its items in chunks.
create table ai_index_items (
  tenant_id uuid not null references tenants on delete cascade,
  index_id uuid not null,
  id text not null,
  input text not null,
  metadata jsonb not null,
  -- The model, and how many numbers its vectors have.
  model text not null,
  embedding real[] not null,
  updated_at timestamptz not null,
  primary key (tenant_id, index_id, id)
);
select tessera_isolate('ai_index_items');
create index ai_index_items_by_model on ai_index_items (tenant_id, index_id, model);

-- Requests to models: tokens by day (UTC), assistant and model.
create table ai_usage (
  tenant_id uuid not null references tenants on delete cascade,
  day date not null,
  assistant_id uuid not null,
  model text not null,
  requests int not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  primary key (tenant_id, day, assistant_id, model)
);
select tessera_isolate('ai_usage');

-- Conversations of browsers: what the holder of a token may talk about, and in which thread.
create table ai_conversations (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  key text not null,
  assistant_id uuid not null,
  -- Null until the first message opens one.
  thread_id uuid,
  -- What the model gets to know about it.
  context json,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id)
);
select tessera_isolate('ai_conversations');
create index ai_conversations_by_end on ai_conversations (expires_at);
