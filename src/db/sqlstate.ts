/** SQLSTATE codes that the code reacts to (PostgreSQL manual, appendix A). */
export const UNIQUE_VIOLATION = '23505';
export const UNDEFINED_TABLE = '42P01';
export const UNDEFINED_COLUMN = '42703';
/** Among others "cached plan must not change result type". */
export const FEATURE_NOT_SUPPORTED = '0A000';

/** Data exceptions and violated constraints: the same data would be refused again. */
const DATA_REFUSED = /^2[23]\w{3}$/;

/** Whether `error` is PostgreSQL's refusal of the data, so that trying again with them is in vain. */
export function isDataRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DATA_REFUSED.test(String(error.code));
}

/** Whether `error` is PostgreSQL's refusal with this SQLSTATE, of this constraint when one is named. */
export function isSqlState(error: unknown, sqlState: string, constraint?: string): boolean {
  // The embedded database has an error class of its own, with the same fields.
  if (!(error instanceof Error && 'code' in error) || error.code !== sqlState) return false;
  return constraint === undefined || ('constraint' in error && error.constraint === constraint);
}
