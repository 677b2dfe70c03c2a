-- Who opened a conversation: its token is worth nothing once they may not. Tokens last an hour; those from before are over.
delete from ai_conversations;
alter table ai_conversations add column membership_id uuid not null;
