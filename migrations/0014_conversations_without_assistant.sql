-- Null: its first message looks for the assistant.
alter table ai_conversations alter column assistant_id drop not null;
