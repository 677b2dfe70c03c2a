-- E-mail: who may send and to whom, templates, and the message ledger that can answer for every message.

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

create table email_event_webhooks (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  position int not null,
  name text not null,
  target text not null,
  events json not null,
  active boolean not null,
  -- Sealed under the webhook's id.
  secret text,
  last_successful timestamptz,
  last_failure timestamptz,
  primary key (tenant_id, id)
);
select tessera_isolate('email_event_webhooks');

create table sending_domains (
  tenant_id uuid not null references tenants on delete cascade,
  domain text not null,
  created_at timestamptz not null,
  -- The operator answers for it, so that it is verified whatever its records say.
  vouched boolean not null,
  -- Since when its bounce name leads here; null: it does not. The first of a tenant is the default bounce domain.
  bounces_since timestamptz,
  dkim_selector text not null,
  -- PEM, sealed under `<tenant>/<domain>`.
  dkim_private_key text not null,
  -- DER of the SubjectPublicKeyInfo in base64, as DNS has it.
  dkim_public_key text not null,
  status json not null,
  primary key (tenant_id, domain)
);
select tessera_isolate('sending_domains');

-- `recipient` is the normal form of an address: trimmed and in lower case.
create table email_suppressions (
  tenant_id uuid not null references tenants on delete cascade,
  recipient text not null,
  type text not null check (type in ('bounce', 'complaint', 'unsubscribe')),
  description text not null,
  created_at timestamptz not null,
  primary key (tenant_id, recipient)
);
create index email_suppressions_newest on email_suppressions (tenant_id, created_at desc, recipient desc);
select tessera_isolate('email_suppressions');

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
create index email_templates_newest on email_templates (tenant_id, created_at desc, id desc);
select tessera_isolate('email_templates');

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
create unique index email_template_versions_active on email_template_versions (tenant_id, template_id) where active;
select tessera_isolate('email_template_versions');

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
create index email_template_snippets_newest on email_template_snippets (tenant_id, created_at desc, id desc);
select tessera_isolate('email_template_snippets');

create table transmissions (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  owner_bu_id uuid not null,
  created_at timestamptz not null,
  -- When the messages become due: null is at once.
  scheduled_at timestamptz,
  -- When all messages were written. Whether it is sending or completed is told by the messages alone, so that no
  -- message ever waits for a row that all of them would change.
  generated_at timestamptz,
  cancelled_at timestamptz,
  description text,
  campaign_id text,
  transactional boolean not null,
  -- What is sent, resolved when it was accepted: sender, subject, html, text, attachments, snippets.
  content json not null,
  options json not null,
  metadata json,
  substitution_data json,
  return_path text,
  recipients int not null,
  primary key (tenant_id, id)
);
create index transmissions_newest on transmissions (tenant_id, created_at desc, id desc);
select tessera_isolate('transmissions');

-- One row per recipient: the ledger columns (src/ledger), who it is for, and what became of it.
create table email_messages (
  tenant_id uuid not null,
  id uuid not null,
  -- Hash of lane and recipient domain: what limits concurrency.
  target_id uuid not null,
  -- 0: transactional, overtakes 1: bulk.
  lane smallint not null,
  state text not null,
  due_at timestamptz not null,
  attempts int not null,
  last_status_code int,
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
  -- The rule that kept it back: sandbox, or the type of a suppression.
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
  primary key (tenant_id, id)
);
create index email_messages_due on email_messages (lane, tenant_id, target_id, due_at) where state = 'pending';
create index email_messages_by_transmission on email_messages (tenant_id, transmission_id, position);
create index email_messages_by_recipient on email_messages (tenant_id, recipient, created_at desc);
select tessera_isolate('email_messages');

-- The lanes, each a ledger of its own, so that bulk mail never holds the places of transactional mail.
create view email_messages_transactional with (security_invoker = true) as
  select tenant_id, id, target_id, state, due_at, attempts, last_status_code, last_error
  from email_messages where lane = 0;
create view email_messages_bulk with (security_invoker = true) as
  select tenant_id, id, target_id, state, due_at, attempts, last_status_code, last_error
  from email_messages where lane = 1;

-- What the sender needs of claimed messages. Like the ledger's own statements (migration 0004) these two plan for their
-- indexes whatever the statistics say.
create function tessera_load_messages(tenants uuid[], ids uuid[])
returns table (
  tenant_id uuid, id uuid, transmission_id uuid, recipient text, address text, name text, header_to text,
  metadata json, substitution_data json
) language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off
set enable_mergejoin = off set enable_material = off set jit = off as $$ begin
  return query execute $query$
    select m.* from unnest($1, $2) as claimed (tenant_id, id)
    cross join lateral (
      select m.tenant_id, m.id, m.transmission_id, m.recipient, m.address, m.name, m.header_to, m.metadata,
        m.substitution_data
      from email_messages m where m.tenant_id = claimed.tenant_id and m.id = claimed.id limit 1) m$query$
  using tenants, ids;
end $$;

-- Notes what became of messages: [{tenant_id, id, status, rendered_at, render_error, sent_at, relay_answer,
-- suppressed_by, ended_at}]. A message that has bounced before its hand-over is noted stays bounced. Row by row, because
-- tenant isolation makes the planner think so little of the table that it would read all of it for a join.
create function tessera_note_messages(results json) returns void
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare noted record;
begin
  for noted in
    select * from json_to_recordset(results) as s (tenant_id uuid, id uuid, status text, rendered_at timestamptz,
      render_error json, sent_at timestamptz, relay_answer text, suppressed_by text, ended_at timestamptz)
  loop
    update email_messages m set
      status = case when m.status = 'queued' then noted.status else m.status end,
      rendered_at = coalesce(noted.rendered_at, m.rendered_at), render_error = noted.render_error,
      sent_at = coalesce(noted.sent_at, m.sent_at), relay_answer = coalesce(noted.relay_answer, m.relay_answer),
      suppressed_by = noted.suppressed_by, ended_at = noted.ended_at
    where m.tenant_id = noted.tenant_id and m.id = noted.id;
  end loop;
end $$;

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
  -- Why this open or click does not count as a person's; null when it does.
  machine_reason text,
  detail text,
  primary key (tenant_id, id)
);
create index email_message_events_by_message on email_message_events (tenant_id, message_id, occurred_at);
select tessera_isolate('email_message_events');

-- Deliveries of message events to event webhooks: ledger columns, then what is told.
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
  primary key (tenant_id, id)
);
create index email_event_deliveries_due on email_event_deliveries (tenant_id, target_id, due_at) where state = 'pending';
select tessera_isolate('email_event_deliveries');

-- Distinct tags, of which a tenant has at most 100.
create table email_tags (
  tenant_id uuid not null references tenants on delete cascade,
  tag text not null,
  primary key (tenant_id, tag)
);
select tessera_isolate('email_tags');

-- Messages kept for reading instead of being sent, while no relay is configured.
create table email_outbox (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  created_at timestamptz not null,
  envelope_from text not null,
  recipient text not null,
  header_from text not null,
  subject text not null,
  raw bytea not null,
  primary key (tenant_id, id)
);
create index email_outbox_newest on email_outbox (created_at desc, id desc);
select tessera_isolate('email_outbox');
