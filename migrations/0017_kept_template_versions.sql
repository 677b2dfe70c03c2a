-- Versions outlive a deleted template, which can be restored with them. They are read through their template only.
alter table email_template_versions drop constraint email_template_versions_tenant_id_template_id_fkey;
alter table email_template_versions add constraint email_template_versions_tenant foreign key (tenant_id)
  references tenants on delete cascade;
