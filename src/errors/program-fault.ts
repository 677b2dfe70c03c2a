import { AppError } from './app-error.ts';

/** What the language itself throws, and what use cases do. */
const OF_PROGRAMS = [TypeError, RangeError, ReferenceError, SyntaxError, URIError, AppError];

/**
 * Whether an error is surely of the program, so that the same would fail again: neither of the database nor of the way to it,
 * whose losses have no class, and often no code, of their own.
 */
export function isProgramFault(error: unknown): boolean {
  return OF_PROGRAMS.some((type) => error instanceof type);
}
