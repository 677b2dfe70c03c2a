-- Whose submissions they are, by the normal form of the address: an erasure finds a person's among millions. Of those that
-- are there already it is the address in lower case.
alter table form_submissions add column address_key text;
update form_submissions set address_key = lower(email_address);
alter table form_submissions alter column address_key set not null;
create index form_submissions_by_person on form_submissions (tenant_id, address_key);
