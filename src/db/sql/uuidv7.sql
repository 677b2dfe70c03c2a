-- Returns a UUIDv7 (RFC 9562) for rows created in SQL: the 48-bit time in ms, then random bits.
create function tessera_uuidv7(moment timestamptz) returns uuid language sql volatile as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from moment) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;
