-- The address at which a mail provider tells a tenant what became of mail: one for each provider.
create table mail_provider_hooks (
  tenant_id uuid not null references tenants on delete cascade,
  provider text not null,
  -- Named by the token of the address.
  id uuid not null,
  -- Sealed under the id.
  signing_key text,
  created_at timestamptz not null,
  primary key (tenant_id, provider)
);
select tessera_isolate('mail_provider_hooks');
