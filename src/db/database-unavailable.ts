/** Errors that occur while the database, or the node with the rows, is unavailable. */
import { codeOf } from '../errors/error-code.ts';
import { isTenantUnavailable } from './tenant-unavailable.ts';

/** Thrown when no connection to the database can be made. */
export class DatabaseUnavailableError extends Error {
  constructor(cause: unknown) {
    super('The database cannot be reached.', { cause });
    this.name = 'DatabaseUnavailableError';
  }
}

/** SQLSTATEs: the server shuts down, crashed, is starting (57P), has no free connection (53300), or lost one (08). */
const UNAVAILABLE = /^(?:57P0[123]|53300|08\w{3})$/;
/** Messages of a connection that broke during a statement; the driver gives no code. */
const BROKEN =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed and is not queryable)/;

/** System error codes of a broken socket. */
const RESET = new Set(['ECONNRESET', 'EPIPE']);

/** Returns true if the same request may succeed once the database is back. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseUnavailableError) return true;
  return (
    UNAVAILABLE.test(codeOf(error)) ||
    BROKEN.test(error.message) ||
    isReset(error) ||
    isTenantUnavailable(error)
  );
}

/**
 * Returns true for a failed system call. The error of an HTTP client that disconnects while it sends has the same code,
 * but no `syscall`.
 */
function isReset(error: Error): boolean {
  return RESET.has(codeOf(error)) && 'syscall' in error;
}
