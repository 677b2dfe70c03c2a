import { defineError } from '../../../errors/app-error.ts';

/** What a notice needs of its provider could not be fetched; the provider sends it again. */
export const PROVIDER_UNREACHABLE = defineError(
  'PROVIDER_UNREACHABLE',
  503,
  'The mail provider could not be asked for what this notice needs. Send it again.',
);
