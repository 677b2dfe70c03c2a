/** Errors that say that the database, or the node that has the rows, cannot be reached at the moment. */
import { codeOf } from '../errors/error-code.ts';
import { isNodeAway } from './node-away.ts';

/** No connection to the database could be made. */
export class DatabaseAwayError extends Error {
  constructor(cause: unknown) {
    super('The database cannot be reached.', { cause });
    this.name = 'DatabaseAwayError';
  }
}

/** The server shuts down, has crashed or still starts, has no connection left (53300), or a connection failed (class 08). */
const AWAY = /^(?:57P0[123]|53300|08\w{3})$/;
/** A connection that broke under a statement: the driver gives no code. */
const BROKEN =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed and is not queryable)/;

/** What the system says when the socket of a connection has broken. */
const RESET = new Set(['ECONNRESET', 'EPIPE']);

/** Returns true if the same request may succeed once the database is back. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseAwayError) return true;
  return AWAY.test(codeOf(error)) || BROKEN.test(error.message) || isReset(error) || isNodeAway(error);
}

/** A client that goes away while it sends has the same code, from Node and not from a system call. */
function isReset(error: Error): boolean {
  return RESET.has(codeOf(error)) && 'syscall' in error;
}
