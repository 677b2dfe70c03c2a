import { type RawBuilder, sql } from 'kysely';

/**
 * Returns SQL that limits lock waits of a transaction (`time`: a PostgreSQL interval). Unlike `set_config`, `set local`
 * also applies on the other nodes of a cluster.
 */
export function setLockTimeout(time: string): RawBuilder<unknown> {
  return sql`set local lock_timeout = ${sql.lit(time)}`;
}
