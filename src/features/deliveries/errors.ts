import { defineError } from '../../errors/app-error.ts';

/** There is no memory for a large request now. */
export const REQUEST_UNAVAILABLE = defineError(
  'REQUEST_UNAVAILABLE',
  503,
  'The request of the delivery is large, and there is no memory for it now. Retry after Retry-After seconds.',
);
