import { AppError, defineError, type Issue } from '../../errors/app-error.ts';

/** The sender's domain is not a verified domain of the tenant. */
export const INVALID_SENDER_IDENTITY = defineError(
  'INVALID_SENDER_IDENTITY',
  400,
  'The sender address does not match a verified sending domain.',
);

/** Another sender identity has the same address. */
export const DUPLICATE_SENDER_IDENTITY = defineError(
  'DUPLICATE_SENDER_IDENTITY',
  409,
  'Another sender identity has this address.',
);

/** No sender identity has the address. */
export const SENDER_IDENTITY_NOT_FOUND = defineError(
  'SENDER_IDENTITY_NOT_FOUND',
  404,
  'No sender identity has this address.',
);

/** The recipient has no suppression. */
export const SUPPRESSION_NOT_FOUND = defineError(
  'SUPPRESSION_NOT_FOUND',
  404,
  'This recipient is not suppressed.',
);

/** Creates the error for invalid senders in these fields of the request. */
export function invalidSenders(fields: readonly string[]): AppError {
  const issues: Issue[] = fields.map((field) => ({
    field,
    message:
      'does not match a verified sending domain: add its domain with POST /api/email_settings/sending_domains and verify it',
  }));
  return new AppError(INVALID_SENDER_IDENTITY, { issues });
}
