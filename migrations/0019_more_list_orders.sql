-- Orders that more lists offer; `sorts` of each resource names them, and every list is newest first unless asked.
create index memberships_newest on memberships (tenant_id, created_at desc, membership_id desc);
create index api_keys_newest on api_keys (tenant_id, created_at desc, id desc);
create index email_template_versions_newest on email_template_versions (tenant_id, template_id, created_at desc, id desc);
create index tenants_newest on tenants (created_at desc, tenant_id desc);

create index api_keys_by_name on api_keys (tenant_id, name, id);
create index tenants_by_name on tenants (name, tenant_id);
create index webhooks_by_name on webhooks (tenant_id, name, id);
create index document_models_by_label on document_models (tenant_id, project_id, label, id);
create index marketing_emails_by_name on marketing_emails (tenant_id, campaign_code, name, id);

create index document_models_by_update on document_models (tenant_id, project_id, updated_at, id);
create index marketing_emails_by_update on marketing_emails (tenant_id, campaign_code, updated_at, id);

-- `documents_by_update` serves the same lists, with the id as the last column.
drop index documents_changed;
