-- SQL functions are files beside the code that calls them (src/**/sql), applied after the migrations whenever their
-- text changes. What migrations 0001-0009 made goes; tessera_isolate stays, for migrations call it.
drop function tessera_find_caller(text);
drop function tessera_uuidv7(timestamptz);
drop function tessera_find_form_tenant(text);
drop function tessera_due_targets(regclass, timestamptz, int, int, uuid, int, uuid[], uuid[], int[]);
drop function tessera_claim_due(regclass, timestamptz, timestamptz, uuid[], uuid[], int[]);
drop function tessera_settle(regclass, json, json);
drop function tessera_load_deliveries(uuid[], uuid[]);
drop function tessera_note_attempts(uuid[], uuid[], timestamptz[], text[]);
drop function tessera_load_messages(uuid[], uuid[]);
drop function tessera_note_messages(json);
drop function tessera_note_sent(json);
drop function tessera_record_message_events(json, timestamptz);
drop function tessera_recent_clicks(uuid[], uuid[], timestamptz);
drop function tessera_flag_clicks(uuid[], uuid[], text);
drop function tessera_load_event_deliveries(uuid[], uuid[]);
drop function tessera_note_event_attempts(uuid[], uuid[], timestamptz[], text[]);

revoke all on schema_functions from tessera_app;
