import { defineError } from '../../../errors/app-error.ts';

/** The form requires a proof of work, and the submission has no valid one. */
export const CHALLENGE_REQUIRED = defineError(
  'CHALLENGE_REQUIRED',
  403,
  'This form asks for a solved challenge; there is none, or it has expired or was used.',
);
