-- The key of runs is made after all other indexes: of two that the planner takes for equal, as all of a tenant are while the table is
-- small, it prefers the newer one, and a plan that is kept would go on with it when the table is large.
alter table automation_runs drop constraint automation_runs_pkey;
alter table automation_runs add primary key (tenant_id, id);
