import { codeOf } from '../errors/error-code.ts';

/** SQLSTATE codes that the code reacts to (PostgreSQL manual, appendix A). */
export const NOT_NULL_VIOLATION = '23502';
export const FOREIGN_KEY_VIOLATION = '23503';
export const UNIQUE_VIOLATION = '23505';
export const CHECK_VIOLATION = '23514';
export const DEADLOCK_DETECTED = '40P01';
export const LOCK_NOT_AVAILABLE = '55P03';
export const QUERY_CANCELED = '57014';
export const UNDEFINED_SCHEMA = '3F000';
export const UNDEFINED_OBJECT = '42704';
export const UNDEFINED_TABLE = '42P01';
export const UNDEFINED_COLUMN = '42703';
/** Among others "cached plan must not change result type". */
export const FEATURE_NOT_SUPPORTED = '0A000';
const DATATYPE_MISMATCH = '42804';
const UNDEFINED_FUNCTION = '42883';
const INTERNAL_ERROR = 'XX000';

/** Data exceptions and violated constraints: the same data would be refused again. */
const DATA_REFUSED = /^2[23]\w{3}$/;

/** Whether `error` is PostgreSQL's refusal of the data, so that trying again with them is in vain. */
export function isDataRefused(error: unknown): boolean {
  return DATA_REFUSED.test(codeOf(error));
}

/** Whether `error` is PostgreSQL's refusal with this SQLSTATE, of this constraint when one is named. */
export function isSqlState(error: unknown, sqlState: string, constraint?: string): boolean {
  // By its fields: the embedded database has an error class of its own.
  if (!(error instanceof Error) || codeOf(error) !== sqlState) return false;
  return constraint === undefined || ('constraint' in error && error.constraint === constraint);
}

/** What a cluster says of a `lock table` that another node has refused, without that node's reason. */
const REFUSED_BY_NODE = /^failure on connection marked as essential\b/;

/** Whether `error` says that a lock was not to be had in time. */
export function isLockRefused(error: unknown): boolean {
  return (
    isSqlState(error, LOCK_NOT_AVAILABLE) ||
    (isSqlState(error, INTERNAL_ERROR) && error instanceof Error && REFUSED_BY_NODE.test(error.message))
  );
}

/**
 * Whether a statement that was prepared for a table as it was may have failed as the table has become another: its result has other
 * columns, or its parameters have types that fit no more.
 */
export function isPlanStale(error: unknown): boolean {
  return [FEATURE_NOT_SUPPORTED, DATATYPE_MISMATCH, UNDEFINED_FUNCTION].includes(codeOf(error));
}
