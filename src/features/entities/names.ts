/** What tables, columns and constraints are called. Everything here follows from checked names and ids alone. */
import { createHash } from 'node:crypto';
import type { Definition } from './schema.ts';

/** PostgreSQL cuts names off after 63 characters, and a cluster adds the number of a shard to them. */
const MAX_NAME = 52;

/** The column of a field: prefixed, so that no field is called as a column of the platform. */
export function columnOf(storedName: string): string {
  return `f_${storedName}`;
}

/** Where the records of an entity are counted; entities' names begin with a letter. */
export function totalsTableOf({ owned_by }: Pick<Definition, 'owned_by'>): string {
  return owned_by === 'business_unit' ? '_unit_totals' : '_totals';
}

/**
 * The name of a constraint or an index of a table; names of fields have no `__`, so no two are called the same. What is no rule of
 * a field (the key, the order, the search) has a `rule` of its own, as fields may be called like it.
 */
export function constraintName(entity: string, storedName: string, rule: string): string {
  const whole = `${entity}__${storedName}__${rule}`;
  if (whole.length <= MAX_NAME) return whole;
  const mark = createHash('sha256').update(whole).digest('hex').slice(0, 10);
  return `${entity.slice(0, 15)}__${storedName.slice(0, 14)}__${mark}__${rule}`;
}
