-- Returns the command that runs a statement with a plan cached in the session: planning a statement with many parts costs several
-- times its execution. `types` are the types of its parameters, `given` their values as literals. Only for a few statements, in
-- functions whose planner settings find rows by keys, because the plan is generic. A new plan is made whenever the table `growing` is
-- eight times as large: the best plan for few rows may scan all of them. `growing` must be a table, because a view has no size; null: the
-- best plan is the same for all sizes.
create function tessera_kept_plan(statement text, types text = null, given text = null, growing regclass = null) returns text
language plpgsql as $$ declare
  size int := coalesce(ceil(log(8, pg_relation_size(growing) / 8192 + 1)), 0);
  name text := 'plan_' || md5(statement) || '_' || size;
begin
  if current_setting('tessera.' || name, true) is distinct from 'kept' then
    begin
      execute format('prepare %I%s as %s', name, coalesce('(' || types || ')', ''), statement);
    exception when duplicate_prepared_statement then
      -- A rolled-back transaction has reset the setting, but kept the prepared statement.
    end;
    perform set_config('tessera.' || name, 'kept', false);
  end if;
  return format('execute %I%s', name, coalesce('(' || given || ')', ''));
end $$;
