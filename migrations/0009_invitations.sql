-- A person who was invited has no password until they accept.
alter table users alter column password_hash drop not null;

-- Memberships that wait for the person to accept. The link in the mail holds the token; only its digest is stored.
create table invitations (
  tenant_id uuid not null,
  membership_id uuid not null,
  digest bytea not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, membership_id)
);
select tessera_isolate('invitations');
alter table invitations add foreign key (tenant_id, membership_id) references memberships on delete cascade;
