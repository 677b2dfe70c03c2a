import type { ColumnType } from 'kysely';
import type { ErrorDefinition } from '../errors/app-error.ts';
import type { EntityType } from './entity-types.ts';
import type { FilterDefinition } from './filters.ts';

/** The columns that every versioned table has, beside the resource's own. */
export interface RecordRow {
  tenant_id: string;
  owner_bu_id: string;
  version: number;
  created_at: string;
  updated_at: string;
  /** On resources that the tenant can share among its units: whether this record is (decisions section 3). */
  shared?: boolean;
}

/** A column of type `json`: text on the way in, so that key order is kept; the parsed value on the way out. */
export type JsonColumn<T> = ColumnType<T, string, string>;

/**
 * A versioned resource owned by business units: what `records.ts` needs to create, read, list, replace and delete
 * it with history, ownership, optimistic locking, filters and search.
 */
export interface Resource<Row extends RecordRow, View extends object> {
  readonly entityType: EntityType;
  readonly table: string;
  /** The column (and reply field) that names a record in paths and in history. */
  readonly key: string;
  readonly newKey: () => string;
  /** Keys that cannot exist are answered 404 without asking the database. */
  readonly isKey: (key: string) => boolean;
  readonly notFound: ErrorDefinition;
  /** The record as its GET shows it; also what history keeps, so it holds no secrets. */
  readonly view: (row: Row) => View;
  readonly filters: FilterDefinition;
  /** Columns that `search` looks in; none: the list has no search. */
  readonly search: readonly string[];
}

/** Declares a versioned resource. */
export function defineResource<Row extends RecordRow, View extends object>(
  resource: Resource<Row, View>,
): Resource<Row, View> {
  return resource;
}

/** The filter that every list of unit-owned records has beside its own (decisions section 3). */
export const OWNER_FILTER = { business_unit: { type: 'unit', column: 'owner_bu_id' } } as const;

/** Whether a text can be a short code; anything else cannot exist. */
export function isShortCode(text: string): boolean {
  return /^[a-z0-9]{1,64}$/.test(text);
}
