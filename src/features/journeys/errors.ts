import { defineError } from '../../errors/app-error.ts';

/** The subscriber is enrolled already, or may not enter again. */
export const ALREADY_IN_JOURNEY = defineError(
  'ALREADY_IN_JOURNEY',
  409,
  'The subscriber is already in this journey, or `re_entry` does not allow entering again.',
);
