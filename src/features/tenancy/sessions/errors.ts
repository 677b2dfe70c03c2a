import { defineError } from '../../../errors/app-error.ts';

/** Only one of two concurrent calls with the same refresh token gets tokens. */
export const REFRESH_CONFLICT = defineError(
  'REFRESH_CONFLICT',
  409,
  'A concurrent request exchanged this refresh token. Use the tokens it received.',
);
