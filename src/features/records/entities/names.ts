/** What tables, columns and constraints are called. Everything here follows from checked names and ids alone. */
import { createHash } from 'node:crypto';
import type { Definition } from './schema.ts';

/** PostgreSQL cuts names off after 63 characters, and a cluster adds the number of a shard to them. */
const MAX_NAME = 52;
const MARK_CHARS = 10;

/**
 * The column of a field: prefixed, so that no field is called as a column of the platform. The database does not know patterns, so
 * the column is called after the one that its values match: a statement with values that were matched against another one names a
 * column that is not there any more.
 */
export function columnOf(storedName: string, pattern: string | null = null): string {
  return pattern === null ? `f_${storedName}` : `f_${storedName}__${digestOf(pattern).slice(0, 8)}`;
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
  const mark = digestOf(whole).slice(0, MARK_CHARS);
  return `${entity.slice(0, 15)}__${storedName.slice(0, 14)}__${mark}__${rule}`;
}

/** Begins the names of what is made for a definition that is still to come; no entity, so no constraint, is called so. */
export const STAGED = '_next_';

/** The name of what is made beforehand for a field, by all that it follows from: for another definition it is called otherwise. */
export function stagedName(entity: string, storedName: string, facts: readonly unknown[]): string {
  return `${stagedPrefix(entity, storedName)}${digestOf(JSON.stringify(facts)).slice(0, MARK_CHARS)}`;
}

/** Which such names are of this field. */
export function stagedPrefix(entity: string, storedName: string): string {
  return `${STAGED}${digestOf(`${entity}.${storedName}`).slice(0, MARK_CHARS)}_`;
}

/** The `stagedPrefix` of a name; of any other name nothing that is one. */
export function stagedPrefixOf(name: string): string {
  return name.slice(0, STAGED.length + MARK_CHARS + 1);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
