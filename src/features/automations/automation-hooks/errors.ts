import { defineError } from '../../../errors/app-error.ts';

/** Another automation already uses the same path and method. */
export const DUPLICATE_HOOK = defineError(
  'DUPLICATE_HOOK',
  409,
  'Another automation uses this path and method.',
);
