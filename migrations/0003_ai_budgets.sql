-- How many tokens the assistants of a tenant, and each of them, may use in a month; null: as many as they like.
alter table ai_assistants add column monthly_token_budget bigint;

create table ai_budgets (
  tenant_id uuid not null references tenants on delete cascade,
  monthly_token_budget bigint,
  primary key (tenant_id)
);
select tessera_isolate('ai_budgets');
