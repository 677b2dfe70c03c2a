import { defineError } from '../../errors/app-error.ts';

/** A transmission that has begun, ended or was cancelled cannot be cancelled. */
export const INVALID_STATUS = defineError(
  'INVALID_STATUS',
  409,
  'The state of the record does not allow this.',
);
