import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Moment } from './tables.ts';

/**
 * Returns SQL for a UUIDv7 of `moment` that is derived from `seed` (bytea): equal seeds give equal ids. With random
 * bits, a cluster would compute one value for all rows, or reject an insert of selected rows.
 */
export function derivedId(moment: Moment, seed: Expression<unknown>): RawBuilder<string> {
  const hex = new Date(moment).getTime().toString(16).padStart(12, '0');
  const bits = sql`encode(sha256(${seed}), 'hex')`;
  return sql<string>`(${hex} || '7' || substr(${bits}, 1, 3) || 'a' || substr(${bits}, 4, 15))::uuid`;
}
