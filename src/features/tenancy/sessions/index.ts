import type { Feature } from '../../feature.ts';
import { REFRESH_CONFLICT } from './errors.ts';
import { examples } from './examples.ts';
import { refreshTokenRetention, sessionRetention } from './queries.ts';
import { routes } from './routes.ts';

export { replacePassword, setPasswordByOperator } from './passwords.ts';
export { SignedIn, Success } from './schema.ts';
export { type NextTokens, prepareSession, writeSession } from './service.ts';

/** Sign-in, refresh and sign-out of users. */
export const sessions: Feature = {
  name: 'sessions',
  examples,
  tags: { 'Signing in': 'Access tokens for users; calls about entity records need one.' },
  routes,
  retentions: [sessionRetention, refreshTokenRetention],
  errors: [REFRESH_CONFLICT],
};
