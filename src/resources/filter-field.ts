import type { Expression, SqlBool } from 'kysely';
import type { FilterType } from './filter-values.ts';

/** Builds the condition on a value in the database. */
export type Compare = (value: Expression<unknown>) => Expression<SqlBool>;

/**
 * SQL of a field: calls `compare` with the value to compare. A relation is true if `compare` is true for any of its
 * values; negated operations (`ne`, `nlike`, `nin`, `empty`) are then true if it is true for none.
 */
export type FieldSql = (compare: Compare) => Expression<SqlBool>;

/** A field that a list can be filtered by. */
export interface FilterField {
  readonly type: FilterType;
  /** The values of an enum, for consoles; others are accepted and match nothing. */
  readonly values?: readonly string[];
  /** The field's SQL, if it is not a column of the same name. */
  readonly sql?: FieldSql;
  /** Its values are the elements of one array: `nemptyarray` matches any element. */
  readonly isArray?: true;
  /** The name under which the list's finder knows its values. */
  readonly found?: FoundField;
  /** A table with the number of records per value. */
  readonly counted?: CountedField;
  /** Normalization of whole values when several spellings mean the same. */
  readonly normalization?: NormalForm;
}

/** The normal form of a field's values, which operations on whole values compare; `like` and searches read it, too. */
export interface NormalForm {
  /** The column that stores it. */
  readonly column: string;
  readonly of: (text: string) => string;
  /** Returns the normal form of a part of a value; null if a search of the values themselves finds all. */
  readonly ofPart: (text: string) => string | null;
}

/** A field whose values a finder knows (`finder.ts`). */
export interface FoundField {
  readonly field: string;
  readonly kind: 'text' | 'number' | 'time';
}

/** The table with the number of records per value, as the sum of a column over all units. */
export interface CountedField {
  readonly table: string;
  readonly column: string;
  /** The condition on rows that count records with this value. */
  readonly of: (value: unknown) => Expression<SqlBool>;
}
