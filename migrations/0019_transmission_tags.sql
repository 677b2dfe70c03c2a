-- What transmissions are listed by, where it need not be looked for among their messages.
alter table transmissions add column tags json not null default '[]';
update transmissions t set tags = (
  select json_agg(distinct tag) from email_messages m cross join lateral json_array_elements_text(m.tags) as tag
  where m.tenant_id = t.tenant_id and m.transmission_id = t.id)
where exists (
  select from email_messages m where m.tenant_id = t.tenant_id and m.transmission_id = t.id
    and json_array_length(m.tags) > 0);
