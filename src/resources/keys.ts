/** Keys of records: ids that the platform generates, keys that callers choose, keys within a parent, or none. */
import { v7 as uuidv7 } from 'uuid';
import { shortCode } from '../secrets/codes.ts';

/** The values of a key's columns, outermost first; a single value may be given without an array. */
export type KeyParts = string | readonly string[];

/** The key of a resource's records in its table, in paths and in history. */
export interface Key {
  /** The key columns after the tenant, outermost first; none for a tenant's only record. */
  readonly columns: readonly string[];
  /** Generates the last column's value; absent: the caller chooses it, or the parent has only one such record. */
  readonly generate?: () => string;
  /** The caller chooses it in the body of a create: a replace creates no record. */
  readonly isInBody?: true;
  /** Returns true if the key has a valid format. For any other key, no query runs. */
  readonly isKey: (parts: readonly string[]) => boolean;
  /** Last part of the key in history if the columns identify only the parent, or if there are none. */
  readonly suffix?: string;
}

/**
 * True for a lower-case UUID. PostgreSQL would also match capitals, but history and encrypted secrets use an id's text.
 */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** True if a text can be a short code. */
export function isShortCode(text: string): boolean {
  return /^[a-z0-9]{1,64}$/.test(text);
}

/** A UUIDv7 that the platform generates. */
export function uuidKey(column: string): Key {
  return { columns: [column], generate: () => uuidv7(), isKey: ([key = '']) => isUuid(key) };
}

/** A short code, for URLs, that the platform generates. */
export function shortCodeKey(column: string): Key {
  return { columns: [column], generate: () => shortCode(), isKey: ([key = '']) => isShortCode(key) };
}

/** A key that the caller chooses: a PUT creates a missing record. */
export function pathKey(column: string, isKey: (key: string) => boolean): Key {
  return { columns: [column], isKey: ([key = '']) => isKey(key) };
}

/** A key in the body of a create. */
export function bodyKey(column: string, isKey: (key: string) => boolean): Key {
  return { ...pathKey(column, isKey), isInBody: true };
}

/** True if a replace may create a record. */
export function createsOnReplace({ generate, isInBody }: Key): boolean {
  return generate === undefined && isInBody !== true;
}

/** A key that is unique within a parent: `<project_id>#<id>` in history. */
export function within(parent: Key, key: Key): Key {
  const depth = parent.columns.length;
  return {
    ...key,
    columns: [...parent.columns, ...key.columns],
    isKey: (parts) => parent.isKey(parts.slice(0, depth)) && key.isKey(parts.slice(depth)),
  };
}

/** The key of a single record: one per tenant, or with `within` one per parent. `name` identifies it in history. */
export function onlyOne(name: string): Key {
  return { columns: [], isKey: (parts) => parts.length === 0, suffix: name };
}

/** The parts of a key, one for each of its columns. */
export function toParts(key: KeyParts): readonly string[] {
  return typeof key === 'string' ? [key] : key;
}

/** The key in history: `<project_id>#<id>` for records inside a project. */
export function sortKeyOf({ suffix }: Key, parts: readonly string[]): string {
  return [...parts, ...(suffix === undefined ? [] : [suffix])].join('#');
}

/** The key of a row in paths and history. */
export function keyOf(
  { key }: { readonly key: { readonly columns: readonly string[] } },
  row: object,
): string[] {
  const values = new Map(Object.entries(row));
  return key.columns.map((column) => String(values.get(column)));
}
