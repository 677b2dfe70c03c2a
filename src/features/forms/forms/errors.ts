import { defineError } from '../../../errors/app-error.ts';

/** The form does not exist, or does not accept submissions (docs/specification/forms.md#submissions). */
export const FORM_NOT_FOUND = defineError('FORM_NOT_FOUND', 404, 'The form does not exist or is inactive.');
