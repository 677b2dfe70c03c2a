import { AppError, defineError, type Issue } from '../../errors/app-error.ts';

/** Mail may only be sent from domains that the tenant has shown to be its own. */
export const INVALID_SENDER_IDENTITY = defineError(
  'INVALID_SENDER_IDENTITY',
  400,
  'The sender address does not match a verified sending domain.',
);

/** A sender identity is known by its address. */
export const DUPLICATE_SENDER_IDENTITY = defineError(
  'DUPLICATE_SENDER_IDENTITY',
  409,
  'Another sender identity has this address.',
);

/** No sender identity has the address. */
export const SENDER_IDENTITY_NOT_FOUND = defineError(
  'SENDER_IDENTITY_NOT_FOUND',
  404,
  'There is no sender identity with this address.',
);

/** Nothing keeps mail from the recipient. */
export const SUPPRESSION_NOT_FOUND = defineError(
  'SUPPRESSION_NOT_FOUND',
  404,
  'This recipient is not suppressed.',
);

/** The refusal of senders, naming where each stands in the request. */
export function invalidSenders(fields: readonly string[]): AppError {
  const issues: Issue[] = fields.map((field) => ({
    field,
    message: 'does not match a verified sending domain',
  }));
  return new AppError(INVALID_SENDER_IDENTITY, { issues });
}
