import type { Feature } from '../../feature.ts';
import { CHALLENGE_REQUIRED } from './errors.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';
import { usedChallengeRetention } from './used-challenges.ts';

/** Embedded forms: the page, the script, and the submissions of visitors. */
export const embed: Feature = {
  name: 'embed',
  examples,
  tags: {
    Embedding: "Requests of visitors' browsers: form page, script, submission.",
  },
  routes,
  retentions: [usedChallengeRetention],
  errors: [CHALLENGE_REQUIRED],
};
