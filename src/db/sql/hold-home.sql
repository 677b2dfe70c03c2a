-- On a cluster: keeps the shard of a tenant, and that of its records, where they are until the transaction ends; waits while one
-- changes its place. Citus does so by itself for a statement that is an insert, an update or a delete. One that reads and has such
-- a part (`with … as (insert …) select`) it takes for a read, and what it writes while its shard is moved is lost in part. It does not
-- wait for ever: connections are few, and of all tenants.
create function tessera_hold_home(tenant uuid) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '10s' as $$
declare
  -- PostgreSQL's number of the lock that Citus takes for a write.
  share_lock constant int = 5;
  -- One shard stands for all that are together with it, as those of a schema are.
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
      -- No such shard: its table was dropped since it was looked up.
    end;
  end if;
end $$;
