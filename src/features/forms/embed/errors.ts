import { defineError } from '../../../errors/app-error.ts';

/** The form requires a proof of work, and the submission has no valid one. */
export const CHALLENGE_REQUIRED = defineError(
  'CHALLENGE_REQUIRED',
  403,
  'This form requires a solved challenge; it is missing, expired or already used.',
);
