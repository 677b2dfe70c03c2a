/** Rows of all tenants that are read with one call (`EveryTenantDb.gather`). */
import type { RawBuilder, SqlBool } from 'kysely';

/**
 * Returns a condition for the rows to read, given the column with their tenant. Each table of the statement needs it,
 * and must have no other condition on its tenant: a cluster uses only one of two conditions to find the nodes.
 */
export type TenantCondition = (column: string) => RawBuilder<SqlBool>;

/** Rows in no particular order. */
export interface Gathered<Row> {
  readonly rows: readonly Row[];
  /** The error that made rows of some tenants unavailable; undefined: no rows are missing. */
  readonly failure?: unknown;
}
