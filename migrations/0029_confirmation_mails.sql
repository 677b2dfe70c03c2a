-- When an address was last asked to confirm its subscription, so that nobody can have it asked more often than hourly.
create table confirmation_mails (
  tenant_id uuid not null references tenants on delete cascade,
  -- Normal form of the address.
  address_key text not null,
  sent_at timestamptz not null,
  primary key (tenant_id, address_key)
);
create index confirmation_mails_age on confirmation_mails (tenant_id, sent_at);
select tessera_isolate('confirmation_mails');
