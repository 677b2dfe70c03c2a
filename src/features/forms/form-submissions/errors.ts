import { defineError } from '../../../errors/app-error.ts';

/** Answers that the form does not accept (docs/specification/forms.md#validation). */
export const INVALID_SUBMISSION = defineError('INVALID_SUBMISSION', 400, 'The submission is not valid.');
