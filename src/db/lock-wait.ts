import { type RawBuilder, sql } from 'kysely';

/** Has a transaction wait for locks for so long (PostgreSQL's text of a time). Said as a statement, it reaches the nodes of a cluster, too. */
export function waitAtMost(time: string): RawBuilder<unknown> {
  return sql`set local lock_timeout = ${sql.lit(time)}`;
}
