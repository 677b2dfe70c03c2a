-- Assistants: what a model is told before it answers, and conversations with them.
create table ai_assistants (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  name text not null,
  description text not null,
  llm_configuration json not null,
  -- The indexes that are looked into before it answers.
  knowledge json not null,
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index ai_assistants_newest on ai_assistants (tenant_id, created_at desc, id desc);
select tessera_isolate('ai_assistants');

-- A thread outlives its assistant.
create table ai_threads (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  assistant_id uuid not null,
  user_id text not null,
  name text not null,
  -- Of its messages: how many they are, and what their contents take as text.
  message_count int not null,
  message_octets bigint not null,
  -- What is noted beside them takes.
  metadata_octets bigint not null,
  version int not null,
  -- The caller's.
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index ai_threads_of_user on ai_threads (tenant_id, user_id, created_at desc, id desc);
select tessera_isolate('ai_threads');

-- Messages are added and never changed. They stay when their thread is deleted, as history shows each version of it with
-- those that it had.
create table ai_thread_messages (
  tenant_id uuid not null references tenants on delete cascade,
  thread_id uuid not null,
  position int not null,
  -- The thread's version that they came with.
  version int not null,
  role text not null,
  content json not null,
  metadata json,
  -- Of the content and of the metadata.
  octets int not null,
  -- The tools that it asks for.
  tool_use_ids text[],
  primary key (tenant_id, thread_id, position)
);
create index ai_thread_messages_with_tools on ai_thread_messages (tenant_id, thread_id) where tool_use_ids is not null;
select tessera_isolate('ai_thread_messages');
