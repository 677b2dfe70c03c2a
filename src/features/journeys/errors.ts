import { defineError } from '../../errors/app-error.ts';

/** The subscriber is enrolled already, or may not enter again. */
export const ALREADY_IN_JOURNEY = defineError(
  'ALREADY_IN_JOURNEY',
  409,
  'The subscriber is in this journey already, or its `re_entry` does not let them enter again.',
);
