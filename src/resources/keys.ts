/** How records are named: by ids that the platform makes, by keys of the caller's, within a parent, or not at all. */
import { v7 as uuidv7 } from 'uuid';
import { shortCode } from '../secrets/codes.ts';

/** The values of a key's columns, outermost first; one that is not composed may be given as it is. */
export type KeyParts = string | readonly string[];

/** How the records of a resource are named in its table, in paths and in history. */
export interface Key {
  /** The columns after the tenant that name a record, outermost first; of a tenant's only record: none. */
  readonly columns: readonly string[];
  /** Makes the last column's value; absent: the caller chooses it, or the parent has one such record only. */
  readonly make?: () => string;
  /** The caller chooses it in the body of a create: a replace makes no record. */
  readonly isGiven?: true;
  /** Whether such a key can exist; what cannot is answered without asking the database. */
  readonly isKey: (parts: readonly string[]) => boolean;
  /** Ends the key in history when the columns name only the parent, or nothing. */
  readonly suffix?: string;
}

/**
 * In small letters: PostgreSQL would find a row by capitals too, but history and sealed secrets go by an id's text.
 */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** Whether a text can be a short code. */
export function isShortCode(text: string): boolean {
  return /^[a-z0-9]{1,64}$/.test(text);
}

/** A UUIDv7 that the platform makes. */
export function uuidKey(column: string): Key {
  return { columns: [column], make: () => uuidv7(), isKey: ([key = '']) => isUuid(key) };
}

/** A short code, fit for addresses, that the platform makes. */
export function shortCodeKey(column: string): Key {
  return { columns: [column], make: () => shortCode(), isKey: ([key = '']) => isShortCode(key) };
}

/** A key that the caller chooses: a PUT creates the record when there is none. */
export function chosenKey(column: string, isKey: (key: string) => boolean): Key {
  return { columns: [column], isKey: ([key = '']) => isKey(key) };
}

/** A key that the body of a create gives. */
export function givenKey(column: string, isKey: (key: string) => boolean): Key {
  return { ...chosenKey(column, isKey), isGiven: true };
}

/** Whether a replace may be what creates a record. */
export function isChosen({ make, isGiven }: Key): boolean {
  return make === undefined && isGiven !== true;
}

/** A key that is unique within a parent's: `<project_id>#<id>` in history. */
export function within(parent: Key, key: Key): Key {
  const depth = parent.columns.length;
  return {
    ...key,
    columns: [...parent.columns, ...key.columns],
    isKey: (parts) => parent.isKey(parts.slice(0, depth)) && key.isKey(parts.slice(depth)),
  };
}

/** The key of what a tenant, or with `within` a parent, has one of: history knows it as `name`. */
export function onlyOne(name: string): Key {
  return { columns: [], isKey: (parts) => parts.length === 0, suffix: name };
}

/** The key's parts, one for each of its columns. */
export function toParts(key: KeyParts): readonly string[] {
  return typeof key === 'string' ? [key] : key;
}

/** The key as history names it: `<project_id>#<id>` of what lives in a project. */
export function sortKeyOf({ suffix }: Key, parts: readonly string[]): string {
  return [...parts, ...(suffix === undefined ? [] : [suffix])].join('#');
}

/** The key of a row as paths and history name it. */
export function keyOf(
  { key }: { readonly key: { readonly columns: readonly string[] } },
  row: object,
): string[] {
  const values = new Map(Object.entries(row));
  return key.columns.map((column) => String(values.get(column)));
}
