/** One fault of a request: where it is and what rule it breaks. `field` is a path such as `pages[0].name`. */
export interface Issue {
  field?: string;
  message: string;
  /**
   * For a conflict: the record that is in the way. For a problem: its stable name, by which callers distinguish faults.
   */
  id?: string;
  /** Number of recipients that the issue concerns. */
  count?: number;
  /** For a template: the variable at fault, if any, and its position (1-based). */
  variable?: string;
  line?: number;
  column?: number;
}

/** Returns the `field` of an issue from its keys and indexes. */
export function fieldAt(steps: readonly (string | number)[]): string {
  return steps.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`;
    return before === '' ? step : `${before}.${step}`;
  }, '');
}

/** A request may have many faults; at most this many are reported. */
export const MAX_ISSUES = 100;

/** A stable, documented error code with its HTTP status and default message. */
export interface ErrorDefinition {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** Details of a single occurrence of an error. */
export interface ErrorDetails {
  /** Replaces the definition's text. Must be safe to show to the caller. */
  message?: string;
  issues?: readonly Issue[];
  /** Seconds until a retry can succeed; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The only error type that use cases throw; only `http/` knows its form on the wire. */
export class AppError extends Error {
  /** For logs. The log writer marks objects while it writes them, which a frozen definition does not allow. */
  readonly code: string;
  readonly #definition: ErrorDefinition;
  readonly issues: readonly Issue[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(definition: ErrorDefinition, details: ErrorDetails = {}) {
    super(details.message ?? definition.message, { cause: details.cause });
    this.name = 'AppError';
    this.code = definition.code;
    this.#definition = definition;
    this.issues = details.issues;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  get definition(): ErrorDefinition {
    return this.#definition;
  }
}

/** Declares an error code. Every code is declared once, in the folder that throws it, and listed in docs/errors.md. */
export function defineError(code: string, status: number, message: string): ErrorDefinition {
  return Object.freeze({ code, status, message });
}
