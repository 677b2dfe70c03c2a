import { defineError } from '../../errors/app-error.ts';

/** The number of selected items differs from the number that the caller expects. */
export const COUNT_CHANGED = defineError(
  'COUNT_CHANGED',
  409,
  'The number of selected items has changed. Check it again with dry_run.',
);
/** There is no memory for a large request now. */
export const REQUEST_UNAVAILABLE = defineError(
  'REQUEST_UNAVAILABLE',
  503,
  'The request of the delivery is large, and there is no memory for it now. Retry after Retry-After seconds.',
);
