-- The stems of an item's text with how often each occurs, and how many words it has; null where a provider makes the vectors.
alter table ai_index_items add column terms tsvector;
alter table ai_index_items add column word_count int;
-- Vectors stay in their rows: by the usual target of 2 KB they would be stored apart as soon as terms are there, and a query reads all of them.
alter table ai_index_items set (toast_tuple_target = 4080);
