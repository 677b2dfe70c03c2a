-- On a cluster: locks the shards of a tenant and of its entity records, so that they are not moved until the
-- transaction ends. Waits for a move in progress. Citus takes this lock itself for an insert, an update or a delete,
-- but not for a select that contains one (`with … as (insert …) select`): a move would lose some of its writes. The
-- wait is limited, because all tenants share few connections.
create function tessera_lock_tenant_shards(tenant uuid) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '10s' as $$
declare
  -- Number of the lock mode that Citus takes for a write.
  share_lock constant int = 5;
  -- One shard represents all shards that are moved with it, such as those of a schema.
  records constant bigint = (
    select s.shardid from pg_dist_schema d
    join pg_dist_partition p using (colocationid) join pg_dist_shard s using (logicalrelid)
    where d.schemaid = to_regnamespace('entities_' || replace(tenant::text, '-', '')) limit 1);
begin
  perform lock_shard_metadata(share_lock, array[get_shard_id_for_distribution_column('business_units', tenant)]);
  if records is not null then
    begin
      perform lock_shard_metadata(share_lock, array[records]);
    exception when internal_error then
      -- The shard is missing because its table was dropped since the look-up.
    end;
  end if;
end $$;
