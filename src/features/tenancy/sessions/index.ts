import type { Feature } from '../../feature.ts';
import { browserExamples } from './browser/examples.ts';
import { browserSessionRetention } from './browser/queries.ts';
import { browserRoutes } from './browser/routes.ts';
import { REFRESH_CONFLICT } from './errors.ts';
import { examples } from './examples.ts';
import { refreshTokenRetention, sessionRetention } from './queries.ts';
import { routes } from './routes.ts';

export { describeSession, signInBrowser, startSession } from './browser/service.ts';
export { replacePassword, setPasswordByOperator } from './passwords.ts';
export { SignedIn, Success } from './schema.ts';
export { type NextTokens, prepareSession, writeSession } from './service.ts';
export { checkPassword } from './sign-in.ts';

/** Sign-in, refresh and sign-out of users. */
export const sessions: Feature = {
  name: 'sessions',
  examples: {
    records: { ...examples.records, ...browserExamples.records },
    requests: { ...examples.requests, ...browserExamples.requests },
  },
  tags: {
    'Signing in': 'Access tokens for users; calls about entity records need one.',
    'Browser sessions': 'Sessions of the console, by a cookie.',
  },
  routes: [...routes, ...browserRoutes],
  retentions: [sessionRetention, refreshTokenRetention, browserSessionRetention],
  errors: [REFRESH_CONFLICT],
};
