-- Returns the command that runs a statement with a plan cached in the session: planning a statement with many parts
-- costs several times its execution. `types` are the types of its parameters, `given` their values as literals. Only
-- for a few statements, in functions whose planner settings find rows by keys, because the plan is generic. A new plan
-- is made whenever one of the tables `growing` is eight times as large: the best plan for few rows may scan all of
-- them. These must be tables, because a view has no size. If there are none, one plan serves all sizes.
create function tessera_kept_plan(statement text, types text = null, given text = null, growing regclass[] = '{}') returns text
language plpgsql as $$ declare
  sizes text := (select string_agg('_' || ceil(log(8, pg_relation_size(each) / 8192 + 1)), '') from unnest(growing) as each);
  name text := 'plan_' || md5(statement) || coalesce(sizes, '');
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
