-- planner: by keys
-- Deletes the deliveries of submissions, including pending ones, with their attempts. No index on `submission_id` is
-- needed: a delivery has the same `created_at` as its submission, and belongs to a webhook of the submission's form.
create function tessera_delete_deliveries(tenant uuid, submissions json) returns void language plpgsql as $$ begin
  execute $query$
    with deliveries as materialized (
      select d.id from json_to_recordset($2) as s (id uuid, form_code text, created_at timestamptz)
      cross join lateral (select w.id from webhooks w where w.tenant_id = $1 and w.form_code = s.form_code) w
      cross join lateral (
        select d.id from webhook_deliveries d
        where d.tenant_id = $1 and d.target_id = w.id and d.created_at = s.created_at and d.submission_id = s.id) d
    ), attempts as (
      delete from delivery_attempts a using deliveries where a.tenant_id = $1 and a.delivery_id = deliveries.id
    )
    delete from webhook_deliveries d using deliveries where d.tenant_id = $1 and d.id = deliveries.id$query$
  using tenant, submissions;
end $$;
