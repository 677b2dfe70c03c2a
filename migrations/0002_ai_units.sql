-- Assistants, threads, indexes and their usage are owned by business units. Those that exist belong to the tenant's Default unit, as
-- does their history.
alter table ai_assistants add column owner_bu_id uuid;
update ai_assistants a set owner_bu_id = u.bu_id from business_units u where u.tenant_id = a.tenant_id and u.is_default;
alter table ai_assistants alter column owner_bu_id set not null;

alter table ai_threads add column owner_bu_id uuid;
update ai_threads t set owner_bu_id = u.bu_id from business_units u where u.tenant_id = t.tenant_id and u.is_default;
alter table ai_threads alter column owner_bu_id set not null;

alter table ai_indexes add column owner_bu_id uuid;
update ai_indexes i set owner_bu_id = u.bu_id from business_units u where u.tenant_id = i.tenant_id and u.is_default;
alter table ai_indexes alter column owner_bu_id set not null;

alter table ai_usage add column owner_bu_id uuid;
update ai_usage a set owner_bu_id = u.bu_id from business_units u where u.tenant_id = a.tenant_id and u.is_default;
alter table ai_usage alter column owner_bu_id set not null;

update record_history h set owner_bu_id = u.bu_id from business_units u
  where u.tenant_id = h.tenant_id and u.is_default and h.owner_bu_id is null
    and h.entity_type in ('ai_assistant', 'ai_thread', 'ai_vector_index');
