import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Moment } from './tables.ts';

/**
 * A UUIDv7 of `moment` that SQL makes for a row of a row: the same for the same `seed` (bytea), and another for every other.
 * Of random bits a cluster would make one value for all, or would not insert rows of a select at all.
 */
export function derivedId(moment: Moment, seed: Expression<unknown>): RawBuilder<string> {
  const hex = new Date(moment).getTime().toString(16).padStart(12, '0');
  const bits = sql`encode(sha256(${seed}), 'hex')`;
  return sql<string>`(${hex} || '7' || substr(${bits}, 1, 3) || 'a' || substr(${bits}, 4, 15))::uuid`;
}
