-- Whether visitors of an embedded form solve a challenge before they submit, and the challenges that were used up.
alter table forms add column challenge boolean not null default false;

create table used_challenges (
  tenant_id uuid not null references tenants on delete cascade,
  seed text not null,
  created_at timestamptz not null,
  primary key (tenant_id, seed)
);
create index used_challenges_age on used_challenges (created_at);
select tessera_isolate('used_challenges');
