import { defineError } from '../../../errors/app-error.ts';

/** Each path of a domain has at most one static redirect. */
export const DUPLICATE_REDIRECT = defineError(
  'DUPLICATE_REDIRECT',
  409,
  'Another static redirect has this domain and path.',
);
