-- planner: by keys, plans kept
-- Writes the outcomes of rows: [{tenant_id, id, claim_id, state, due_at, attempts, faults, error, result}], and the
-- members of their results that are in `result_columns`. A row without a state is deleted; one with another claim
-- stays unchanged. `tenant`: see tessera_tenant_sql. Claims are checked in a separate query: with a condition on the
-- state, the update would read the whole index of due rows.
create function tessera_acknowledge(tenant uuid, work_queue regclass, acks json, result_columns text[]) returns void
language plpgsql as $$ declare
  statement text;
  results text := coalesce((select string_agg(
      format(', (json_populate_record(l, s.result)).%1$I as %2$I', name, 'result_' || name), '') from unnest(result_columns) as name), '');
  changes text := coalesce((select string_agg(format(', %1$I = claimed.%2$I', name, 'result_' || name), '')
    from unnest(result_columns) as name), '');
begin
  statement := format($query$
    with claimed as materialized (
      select s.id, s.tenant_id, s.claim_id, s.state as new_state, s.due_at as new_due_at, s.attempts, s.faults, s.error, l.*
      from json_to_recordset($1) as s (tenant_id uuid, id uuid, claim_id uuid,
        state text, due_at timestamptz, attempts int, faults int, error text, result json)
      cross join lateral (
        select l.state, l.claim_id as present_claim %2$s from %1$s l where l.tenant_id = %4$s and l.id = s.id limit 1) l
      where l.state = 'pending' and l.present_claim = s.claim_id
    ), dropped as (
      delete from %1$s w using claimed where w.tenant_id = %5$s and w.id = claimed.id
        and claimed.new_state is null and w.claim_id = claimed.claim_id
    )
    update %1$s w set state = claimed.new_state, claim_id = null, due_at = claimed.new_due_at,
      attempts = claimed.attempts, faults = claimed.faults, last_error = claimed.error %3$s
    from claimed where w.tenant_id = %5$s and w.id = claimed.id
      and claimed.new_state is not null and w.claim_id = claimed.claim_id$query$,
    work_queue, results, changes, tessera_tenant_sql(tenant, 's.tenant_id'), tessera_tenant_sql(tenant, 'claimed.tenant_id'));
  if tenant is null then
    execute tessera_kept_plan(statement, 'json', quote_literal(acks), array[work_queue]);
  else
    execute statement using acks;
  end if;
end $$;
