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
/** Includes "cached plan must not change result type". */
export const FEATURE_NOT_SUPPORTED = '0A000';
const DATATYPE_MISMATCH = '42804';
const UNDEFINED_FUNCTION = '42883';
const INTERNAL_ERROR = 'XX000';

/** Data exceptions and constraint violations; a retry with the same data fails again. */
const DATA_REFUSED = /^2[23]\w{3}$/;

/** True if PostgreSQL rejected the data, so that a retry is pointless. */
export function isInvalidData(error: unknown): boolean {
  return DATA_REFUSED.test(codeOf(error));
}

/** True if `error` has this SQLSTATE and, if given, this constraint. */
export function isSqlState(error: unknown, sqlState: string, constraint?: string): boolean {
  // Check fields, not the class: the embedded database has its own error class.
  if (!(error instanceof Error) || codeOf(error) !== sqlState) return false;
  return constraint === undefined || ('constraint' in error && error.constraint === constraint);
}

/** Message of a cluster for a `lock table` that another node refused, without that node's reason. */
const REFUSED_BY_NODE = /^failure on connection marked as essential\b/;

/** True if a lock could not be acquired in time. */
export function isLockRefused(error: unknown): boolean {
  return (
    isSqlState(error, LOCK_NOT_AVAILABLE) ||
    (isSqlState(error, INTERNAL_ERROR) && error instanceof Error && REFUSED_BY_NODE.test(error.message))
  );
}

/**
 * True if a prepared statement may have failed because its table was changed: its result has other columns, or its
 * parameters have other types.
 */
export function isPlanStale(error: unknown): boolean {
  return [FEATURE_NOT_SUPPORTED, DATATYPE_MISMATCH, UNDEFINED_FUNCTION].includes(codeOf(error));
}
