import { codeOf } from '../errors/error-code.ts';

/** The database cannot be used as it is. The message is one line for the operator, which names the variable to look at. */
export class DatabaseError extends Error {
  /** `problem` follows the name of the variable. */
  constructor(problem: string, options?: ErrorOptions) {
    super(`DATABASE_URL: ${problem}`.replaceAll(/\s*[\r\n]+\s*/g, ' '), options);
    this.name = 'DatabaseError';
  }
}

/** What went wrong on the way to a server. Node tells of a host with several addresses by an error without a message. */
export function connectionFailure(cause: unknown): DatabaseError {
  const [first] = cause instanceof AggregateError ? cause.errors : [cause];
  const reason = first instanceof Error ? first.message || codeOf(first) : String(first);
  return new DatabaseError(`the server cannot be used: ${reason}`, { cause });
}
