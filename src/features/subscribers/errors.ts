import { AppError, defineError, type Issue } from '../../errors/app-error.ts';

/** A body that is no subscriber (docs/specification/subscribers.md#errors). */
export const INVALID_SUBSCRIBER = defineError('INVALID_SUBSCRIBER', 400, 'The subscriber is not valid.');
/** An address stands for one subscriber of a unit. */
export const DUPLICATE_EMAIL = defineError(
  'DUPLICATE_EMAIL',
  409,
  'Another subscriber has this e-mail address.',
);

/** A 400 that names what is wrong with a subscriber. */
export function invalidSubscriber(issues: readonly Issue[]): AppError {
  return new AppError(INVALID_SUBSCRIBER, { issues });
}

/** A 409 that names the subscriber who has the address. */
export function duplicateEmail(id: string): AppError {
  return new AppError(DUPLICATE_EMAIL, {
    issues: [{ field: 'email', message: 'is the address of another subscriber', id }],
  });
}
