import { defineError } from '../../errors/app-error.ts';

/** The refresh token was exchanged by another call a few seconds ago. */
export const REFRESH_CONFLICT = defineError(
  'REFRESH_CONFLICT',
  409,
  'Another call has just exchanged this refresh token. Use the tokens that call received.',
);
