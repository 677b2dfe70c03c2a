-- Actions that are done once when a run has finally failed: [{key, name, actionTypeKey, params}].
alter table automations add column on_failure json not null default '[]';

-- By what a run has finally failed, while its actions of `on_failure` are done and afterwards: {error, action, at}.
alter table automation_runs add column failure json;

-- The runs of a tenant, newest first. The primary key is made again after it: of two indexes that cost the same the planner takes the
-- newer one (0001_baseline.sql, automation_runs).
alter table automation_runs drop constraint automation_runs_pkey;
create index automation_runs_of_tenant on automation_runs (tenant_id, created_at desc, id desc);
alter table automation_runs add primary key (tenant_id, id);

-- The IANA time zone whose clocks the expression is about.
alter table automation_schedules add column timezone text not null default 'UTC';
