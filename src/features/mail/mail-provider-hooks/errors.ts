import { defineError } from '../../../errors/app-error.ts';

/** Data that a notice refers to could not be fetched from its provider; the provider sends the notice again. */
export const PROVIDER_UNREACHABLE = defineError(
  'PROVIDER_UNREACHABLE',
  503,
  'The mail provider could not be reached to verify this notice. Send it again.',
);
