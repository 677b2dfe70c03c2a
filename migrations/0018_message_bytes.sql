-- What one message of a transmission takes in memory while it is made, about: told before what it sends is read.
alter table transmissions add column message_bytes int not null default 0;
update transmissions set message_bytes = least(8 * octet_length(content::text)::bigint, 2147483647);
