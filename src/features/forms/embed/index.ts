import type { Feature } from '../../feature.ts';
import { CHALLENGE_REQUIRED } from './errors.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';
import { usedChallengeRetention } from './used-challenges.ts';

/** Embedded forms: the page, the script, and the submissions of visitors. */
export const embed: Feature = {
  name: 'embed',
  reference,
  routes,
  retentions: [usedChallengeRetention],
  errors: [CHALLENGE_REQUIRED],
};
