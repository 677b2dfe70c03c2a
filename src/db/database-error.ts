import { codeOf } from '../errors/error-code.ts';

/** Thrown when the database cannot be used. The message is one line for the operator and begins with `DATABASE_URL`. */
export class DatabaseError extends Error {
  /** `problem` is the rest of the message: `the server cannot be used`. */
  constructor(problem: string, options?: ErrorOptions) {
    super(`DATABASE_URL: ${problem}`.replaceAll(/\s*[\r\n]+\s*/g, ' '), options);
    this.name = 'DatabaseError';
  }
}

/** Converts a connection error. For a host with several addresses, Node throws an AggregateError without a message. */
export function connectionFailure(cause: unknown): DatabaseError {
  const [first] = cause instanceof AggregateError ? cause.errors : [cause];
  const reason = first instanceof Error ? first.message || codeOf(first) : String(first);
  return new DatabaseError(`the server cannot be used: ${reason}`, { cause });
}
