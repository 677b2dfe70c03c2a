/** One fault of a request: where it is and what rule it breaks. `field` is a path such as `pages[0].name`. */
export interface Issue {
  field?: string;
  message: string;
  /** Of a conflict: the record that is in the way. Of a problem: a stable name of it, where callers tell faults apart by it. */
  id?: string;
  /** How many recipients the fault concerns. */
  count?: number;
  /** In a template: the variable at fault, if one is, and its place (1-based). */
  variable?: string;
  line?: number;
  column?: number;
}

/** The `field` of an issue at the end of these keys and indexes. */
export function fieldAt(steps: readonly (string | number)[]): string {
  return steps.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`;
    return before === '' ? step : `${before}.${step}`;
  }, '');
}

/** A request may be faulty in many places; this many are told. */
export const MAX_ISSUES = 100;

/** A stable, documented error code with the status it travels under and the text a caller reads by default. */
export interface ErrorDefinition {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** What a single occurrence of an error adds to its definition. */
export interface ErrorDetails {
  /** Replaces the definition's text. Must be safe to show to the caller. */
  message?: string;
  issues?: readonly Issue[];
  /** Seconds until a retry can succeed; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The one error type that use cases throw; only `http/` knows how it looks on the wire. */
export class AppError extends Error {
  /** For logs. What they are given is marked while it is written, which a definition does not bear: it cannot be changed. */
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
