-- The command that runs a statement by a plan that the session keeps: to plan one with many parts takes several times as long as to
-- run it. `types` are those of its parameters, `given` their values as literals. Only for statements of which there are few, and for
-- functions that have the planner find rows by keys, as the plan is of no particular values. It is another one whenever the table
-- `growing` has become eight times as large: the best plan for a few rows may go over all of them for each. A table, as a view has no size.
create function tessera_kept_plan(statement text, types text, given text, growing regclass) returns text
language plpgsql as $$ declare
  size int := ceil(log(8, pg_relation_size(growing) / 8192 + 1));
  name text := 'plan_' || md5(statement) || '_' || size;
begin
  if current_setting('tessera.' || name, true) is distinct from 'kept' then
    begin
      execute format('prepare %I%s as %s', name, '(' || types || ')', statement);
    exception when duplicate_prepared_statement then
      -- By a transaction that came to nothing: it has taken back the setting, but not the statement.
    end;
    perform set_config('tessera.' || name, 'kept', false);
  end if;
  return format('execute %I%s', name, '(' || given || ')');
end $$;
