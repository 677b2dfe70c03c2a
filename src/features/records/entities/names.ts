/** Names of tables, columns and constraints, derived only from validated names and ids. */
import { createHash } from 'node:crypto';
import type { Definition } from './schema.ts';

/** PostgreSQL truncates names to 63 characters. Some of them are left for suffixes that the database adds. */
const MAX_NAME = 52;
const MARK_CHARS = 10;

/**
 * Returns the column of a field. The prefix avoids clashes with columns of the platform. The name contains a hash of
 * the pattern: a statement whose values were matched against an older pattern then fails, because its column no longer
 * exists.
 */
export function columnOf(storedName: string, pattern: string | null = null): string {
  return pattern === null ? `f_${storedName}` : `f_${storedName}__${digestOf(pattern).slice(0, 8)}`;
}

/** Returns the table that counts the records of an entity. Entity names start with a letter, so there is no clash. */
export function totalsTableOf({ owned_by }: Pick<Definition, 'owned_by'>): string {
  return owned_by === 'business_unit' ? '_unit_totals' : '_totals';
}

/**
 * Returns the name of a constraint or an index. Field names contain no `__`, so names are unique. Constraints that
 * belong to no field (key, order, search) have a `rule` of their own.
 */
export function constraintName(entity: string, storedName: string, rule: string): string {
  const name = `${entity}__${storedName}__${rule}`;
  if (name.length <= MAX_NAME) return name;
  const mark = digestOf(name).slice(0, MARK_CHARS);
  return `${entity.slice(0, 15)}__${storedName.slice(0, 14)}__${mark}__${rule}`;
}

/** Prefix of staged columns, constraints and indexes. No entity name starts with it, so no other constraint does. */
export const STAGED = '_next_';

/**
 * Returns the name of a staged part. It contains a hash of everything the part depends on, so that another definition
 * does not adopt it.
 */
export function stagedName(entity: string, storedName: string, facts: readonly unknown[]): string {
  return `${stagedPrefix(entity, storedName)}${digestOf(JSON.stringify(facts)).slice(0, MARK_CHARS)}`;
}

/** Returns the prefix of all staged names of a field. */
export function stagedPrefix(entity: string, storedName: string): string {
  return `${STAGED}${digestOf(`${entity}.${storedName}`).slice(0, MARK_CHARS)}_`;
}

/** Returns the `stagedPrefix` of a staged name. For other names the result matches no prefix. */
export function stagedPrefixOf(name: string): string {
  return name.slice(0, STAGED.length + MARK_CHARS + 1);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
