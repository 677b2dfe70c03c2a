-- Emails that were cancelled lately, for the overview.
create index marketing_emails_cancelled on marketing_emails (tenant_id, updated_at) where status = 'Cancelled';
