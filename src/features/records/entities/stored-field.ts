import type { FieldType } from './schema.ts';

/** A field that has a column. */
export interface StoredField {
  /** Name in records: `total`, `customer_id`. */
  readonly name: string;
  /** `f_total`, or `f_number__1a2b3c4d` for a text with a pattern. */
  readonly column: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly unique: boolean;
  /** True if it has an index of its own, for filters. */
  readonly indexed: boolean;
  readonly searchable: boolean;
  /** Default as in responses; for the state of a workflow, its initial state; undefined if there is none. */
  readonly default: unknown;
  readonly enum: readonly string[] | null;
  /** Length in characters (code points) for texts, otherwise the value. */
  readonly min: number | null;
  readonly max: number | null;
  readonly pattern: string | null;
  /** Entity that a `belongs_to` references, otherwise null. */
  readonly refersTo: string | null;
}
