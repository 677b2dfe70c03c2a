import { AppError, defineError, type Issue } from './app-error.ts';

/**
 * Codes that every route may return (docs/specification/conventions.md#errors). Features declare their own codes next
 * to their routes.
 */
export const INVALID_REQUEST = defineError('INVALID_REQUEST', 400, 'The request is not valid.');
export const BUSINESS_UNIT_REQUIRED = defineError(
  'BUSINESS_UNIT_REQUIRED',
  400,
  'Choose a business unit: you have grants in several. Activate one and send its token as X-Business-Unit.',
);
export const UNAUTHORIZED = defineError('UNAUTHORIZED', 401, 'The credential is missing or not valid.');
export const FORBIDDEN = defineError('FORBIDDEN', 403, 'You do not have permission to do this.');
/** The operator has suspended the tenant (docs/specification/running.md#tenants). */
export const TENANT_SUSPENDED = defineError(
  'TENANT_SUSPENDED',
  403,
  'The tenant is suspended. Contact the operator.',
);
export const INVALID_BUSINESS_UNIT = defineError(
  'INVALID_BUSINESS_UNIT',
  403,
  'The X-Business-Unit token is not valid. Activate the business unit again.',
);
/** A call of a browser session that may come from another site (docs/specification/browser-sessions.md#csrf). */
export const CSRF_REJECTED = defineError(
  'CSRF_REJECTED',
  403,
  'Send X-CSRF-Token from GET /auth/session, from a page of this origin.',
);
/** A sensitive call of a browser session (docs/specification/browser-sessions.md#confirmation). */
export const CONFIRMATION_REQUIRED = defineError(
  'CONFIRMATION_REQUIRED',
  403,
  'Confirm your password with POST /auth/session/confirm, then repeat the call.',
);
/** A call of a browser session whose user has several tenants. */
export const TENANT_REQUIRED = defineError(
  'TENANT_REQUIRED',
  400,
  'You belong to several tenants. Send the code of one as X-Tenant.',
);
export const NOT_FOUND = defineError('NOT_FOUND', 404, 'Not found.');
/** The token of a link was altered or cut off, or has expired (docs/specification/email-events.md#tokens). */
export const TOKEN_INVALID = defineError('TOKEN_INVALID', 404, 'The link is not valid.');
export const METHOD_NOT_ALLOWED = defineError(
  'METHOD_NOT_ALLOWED',
  405,
  'The method is not allowed here. See the header Allow.',
);
/** The state of a record forbids the operation: a transmission that was sent cannot be cancelled. */
export const INVALID_STATUS = defineError(
  'INVALID_STATUS',
  409,
  'The state of the record does not allow this.',
);
export const VERSION_CONFLICT = defineError(
  'VERSION_CONFLICT',
  409,
  'The record has changed since the version you sent. Read it again and retry.',
);
/** The number of selected items differs from the number that the caller expects. */
export const COUNT_CHANGED = defineError(
  'COUNT_CHANGED',
  409,
  'The number of selected items has changed. Check it again with dry_run.',
);
export const OWNER_IMMUTABLE = defineError(
  'OWNER_IMMUTABLE',
  409,
  'A record cannot move to another business unit.',
);
export const IMMUTABLE_FIELD = defineError('IMMUTABLE_FIELD', 409, 'The field cannot be changed once set.');
export const IN_USE = defineError('IN_USE', 409, 'The record is in use.');
export const IDEMPOTENCY_CONFLICT = defineError(
  'IDEMPOTENCY_CONFLICT',
  409,
  'This Idempotency-Key belongs to another request or to one still in progress.',
);
export const IDEMPOTENT_ANSWER_NOT_STORED = defineError(
  'IDEMPOTENT_ANSWER_NOT_STORED',
  409,
  'The first request with this Idempotency-Key succeeded, but its response was not stored. Read the record instead.',
);
export const PAYLOAD_TOO_LARGE = defineError(
  'PAYLOAD_TOO_LARGE',
  413,
  'The body is larger than this operation allows.',
);
export const UNSUPPORTED_MEDIA_TYPE = defineError(
  'UNSUPPORTED_MEDIA_TYPE',
  415,
  'Send the body as application/json.',
);
export const VALIDATION_ERROR = defineError('VALIDATION_ERROR', 422, 'The request breaks a rule.');
export const RATE_LIMITED = defineError('RATE_LIMITED', 429, 'Too many requests. Try again later.');
export const TIMEOUT = defineError(
  'TIMEOUT',
  503,
  'The database took too long. Request less, or retry after Retry-After seconds.',
);
export const DATABASE_UNAVAILABLE = defineError(
  'DATABASE_UNAVAILABLE',
  503,
  'The database cannot be reached. Retry after Retry-After seconds.',
);
export const STORAGE_UNAVAILABLE = defineError(
  'STORAGE_UNAVAILABLE',
  503,
  'The file storage is overloaded or unreachable. Retry after Retry-After seconds.',
);
export const INTERNAL_ERROR = defineError('INTERNAL_ERROR', 500, 'Something went wrong on our side.');

/** A 400 that lists the faulty fields. */
export function invalidRequest(issues: readonly Issue[]): AppError {
  return new AppError(INVALID_REQUEST, { issues });
}

/** A 422 for a well-formed request that breaks a rule without a code of its own. */
export function ruleBroken(field: string, message: string): AppError {
  return new AppError(VALIDATION_ERROR, { issues: [{ field, message }] });
}
