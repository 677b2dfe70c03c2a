-- Orders that lists offer; `sorts` of each resource names them.
create index page_projects_by_name on page_projects (tenant_id, name, id);
create index page_projects_by_update on page_projects (tenant_id, updated_at, id);
