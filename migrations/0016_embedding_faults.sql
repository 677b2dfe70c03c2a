-- Why the vectors of an index could not be computed last; null: they could.
alter table ai_indexes add column embedding_error text;
-- How many numbers the vectors of the present model have; null: not known yet.
alter table ai_indexes add column vector_length int;
-- Why the embeddings provider refused the text of an item; null: the item has a vector.
alter table ai_index_items add column embedding_error text;
