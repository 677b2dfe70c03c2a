import { defineError } from '../../../errors/app-error.ts';

/** A path and method of a hook are those of one automation. */
export const DUPLICATE_HOOK = defineError(
  'DUPLICATE_HOOK',
  409,
  'Another automation is called at this path by this method.',
);
