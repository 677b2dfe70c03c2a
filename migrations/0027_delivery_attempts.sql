-- Attempts of webhook deliveries of all kinds. The key finds the attempts of a delivery, and old ones by the time in
-- the id of their delivery.
create table delivery_attempts (
  tenant_id uuid not null,
  delivery_id uuid not null,
  started_at timestamptz not null,
  duration_ms int not null,
  -- Null without a response.
  status_code int,
  error text,
  blocked_by text,
  response_headers json,
  response_body text,
  primary key (tenant_id, delivery_id, started_at)
);
select tessera_isolate('delivery_attempts');

-- The deliveries of a webhook with one state and last status (null: no response), in the order of their creation. Lists
-- merge a few such ranges, so this index serves every filter.
create index webhook_deliveries_by_outcome on webhook_deliveries (tenant_id, target_id, last_status_code, state, id);
create index email_event_deliveries_by_outcome
  on email_event_deliveries (tenant_id, target_id, last_status_code, state, id);
create index entity_change_deliveries_by_outcome
  on entity_change_deliveries (tenant_id, target_id, last_status_code, state, id);
