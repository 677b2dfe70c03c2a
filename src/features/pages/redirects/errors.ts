import { defineError } from '../../../errors/app-error.ts';

/** A path of a domain leads to one place. */
export const DUPLICATE_REDIRECT = defineError(
  'DUPLICATE_REDIRECT',
  409,
  'Another static redirect of the project is for this path of this domain.',
);
