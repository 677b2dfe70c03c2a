import { AppError } from './app-error.ts';

/** Errors thrown by the language itself or by use cases. */
const OF_PROGRAMS = [TypeError, RangeError, ReferenceError, SyntaxError, URIError, AppError];

/**
 * True if an error certainly comes from our code, so that a repeat would fail again. Errors of the database or its
 * connection are excluded; they have no class and often no code of their own.
 */
export function isProgramFault(error: unknown): boolean {
  return OF_PROGRAMS.some((type) => error instanceof type);
}
