-- The keys under which secrets of this database are sealed: more than one while a key is rotated. `check_value` is
-- opened by its own key alone, so that a start with another one is refused.
create table secret_keys (
  key_id text primary key,
  check_value text not null,
  noted_at timestamptz not null
);
