import { defineError } from '../../errors/app-error.ts';

/** Answers that the form does not accept (document 3, Errors). */
export const INVALID_SUBMISSION = defineError('INVALID_SUBMISSION', 400, 'The submission is not valid.');
