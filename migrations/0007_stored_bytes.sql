-- Bytes that callers make the platform keep for a while, by kind and by when the rows behind them were made. Processes add to it every
-- few seconds; a bucket expires when all of its rows have.
create table stored_bytes (
  tenant_id uuid not null,
  kind text not null,
  bucket timestamptz not null,
  bytes bigint not null,
  expires_at timestamptz not null,
  primary key (tenant_id, kind, bucket)
);
select tessera_isolate('stored_bytes');
create index stored_bytes_expired on stored_bytes (expires_at);

-- Bytes of the trigger as it came; 0 for runs from before this migration. `is_input_kept`: false once the trigger was cut.
alter table automation_runs add column input_bytes int not null default 0;
alter table automation_runs add column is_input_kept boolean not null default true;
