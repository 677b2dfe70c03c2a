import { defineError } from '../../errors/app-error.ts';

/** The area's code of a malformed request. */
export const INVALID_AUTOMATION = defineError('INVALID_AUTOMATION', 400, 'The automation is not valid.');
/** Keys of automations are unique in a tenant. */
export const DUPLICATE_AUTOMATION = defineError(
  'DUPLICATE_AUTOMATION',
  409,
  'There is an automation with this key.',
);
/** One event has caused as many runs as it may, or as many of a tenant wait as may. */
export const TOO_MANY_RUNS = defineError('TOO_MANY_RUNS', 429, 'There are too many runs.');
