-- Forms, their themes and what visitors submit.

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
create index form_themes_newest on form_themes (tenant_id, created_at desc, code desc);
select tessera_isolate('form_themes');

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
  primary key (tenant_id, code)
);
create index forms_newest on forms (tenant_id, created_at desc, code desc);
create index forms_by_public_code on forms (public_code);
select tessera_isolate('forms');

-- Exact totals that cost the same for a million submissions as for ten: counted up with every submission and
-- embed view, spread over slots so that visitors of one form do not wait for each other's row lock.
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
  primary key (tenant_id, id)
);
create index form_submissions_newest on form_submissions (tenant_id, created_at desc, id desc);
create index form_submissions_by_form on form_submissions (tenant_id, form_code, created_at desc, id desc);
create index form_submissions_by_address on form_submissions (tenant_id, email_address, created_at desc, id desc);
select tessera_isolate('form_submissions');

-- A visitor knows only the public code, so this look-up runs past tenant isolation, as tessera_find_caller does.
create function tessera_find_form_tenant(wanted_public_code text) returns uuid
language sql stable security definer set search_path = public as $$
  select tenant_id from forms where public_code = wanted_public_code
$$;
