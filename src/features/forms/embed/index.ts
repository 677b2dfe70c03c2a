import type { Feature } from '../../feature.ts';
import { CHALLENGE_REQUIRED } from './errors.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';
import { usedChallengeRetention } from './used-challenges.ts';

/** Forms in other sites' pages: the page, the script and what a visitor submits. */
export const embed: Feature = {
  name: 'embed',
  reference,
  routes,
  retentions: [usedChallengeRetention],
  errors: [CHALLENGE_REQUIRED],
};
