import { defineError } from '../../errors/app-error.ts';

/** The form does not exist, or does not take submissions (document 3, Errors). */
export const FORM_NOT_FOUND = defineError(
  'FORM_NOT_FOUND',
  404,
  'There is no such form, or it is not active.',
);
