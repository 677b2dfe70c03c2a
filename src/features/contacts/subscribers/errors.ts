import { AppError, defineError, type Issue } from '../../../errors/app-error.ts';

/** Invalid body of a subscriber (docs/specification/subscribers.md#errors). */
export const INVALID_SUBSCRIBER = defineError('INVALID_SUBSCRIBER', 400, 'The subscriber is not valid.');
/** Addresses of subscribers are unique in a unit. */
export const DUPLICATE_EMAIL = defineError(
  'DUPLICATE_EMAIL',
  409,
  'Another subscriber has this email address.',
);

/** Creates a 400 with the issues of a subscriber. */
export function invalidSubscriber(issues: readonly Issue[]): AppError {
  return new AppError(INVALID_SUBSCRIBER, { issues });
}

/** Creates a 409 that names the subscriber with the address. */
export function duplicateEmail(id: string): AppError {
  return new AppError(DUPLICATE_EMAIL, {
    issues: [{ field: 'email', message: 'is the address of another subscriber', id }],
  });
}
