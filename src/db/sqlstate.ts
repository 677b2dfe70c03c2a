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
  if (constraint === undefined) return true;
  if ('constraint' in error && error.constraint === constraint) return true;
  // A cluster tells the constraint in the message alone, by the name that it has for a part of the table.
  return new RegExp(`\\b${constraint}_\\d+\\b`).test(error.message);
}

/**
 * Whether a statement that was prepared for a table as it was may have failed as the table has become another: its result has other
 * columns, or its parameters have types that fit no more.
 */
export function isPlanStale(error: unknown): boolean {
  return [FEATURE_NOT_SUPPORTED, DATATYPE_MISMATCH, UNDEFINED_FUNCTION].includes(codeOf(error));
}
