-- What models were asked: tokens by day (UTC), assistant and model.
create table ai_usage (
  tenant_id uuid not null references tenants on delete cascade,
  day date not null,
  assistant_id uuid not null,
  model text not null,
  requests int not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  primary key (tenant_id, day, assistant_id, model)
);
select tessera_isolate('ai_usage');

-- Conversations of browsers: what the holder of a token may talk about, and in which thread.
create table ai_conversations (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  key text not null,
  assistant_id uuid not null,
  -- Null until the first message opens one.
  thread_id uuid,
  -- What the model is told of it.
  context json,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id)
);
create index ai_conversations_by_end on ai_conversations (expires_at);
select tessera_isolate('ai_conversations');
