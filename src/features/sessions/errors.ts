import { defineError } from '../../errors/app-error.ts';

/** Of two calls with one refresh token at the same time, one gets tokens. */
export const REFRESH_CONFLICT = defineError(
  'REFRESH_CONFLICT',
  409,
  'Another call is exchanging this refresh token. Go on with what that call was given.',
);
