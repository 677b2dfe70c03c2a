import { defineError } from '../../../errors/app-error.ts';

/** The form does not accept the answers (docs/specification/forms.md#validation). */
export const INVALID_SUBMISSION = defineError('INVALID_SUBMISSION', 400, 'The submission is not valid.');
