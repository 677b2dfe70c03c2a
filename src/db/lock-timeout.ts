import { type RawBuilder, sql } from 'kysely';

/** Returns SQL that limits lock waits of a transaction (`time`: a PostgreSQL interval). As a statement it also reaches the nodes of a cluster. */
export function setLockTimeout(time: string): RawBuilder<unknown> {
  return sql`set local lock_timeout = ${sql.lit(time)}`;
}
