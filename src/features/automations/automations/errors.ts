import { defineError } from '../../../errors/app-error.ts';

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
/** The inputs of runs that wait have used up the tenant's quota. */
export const AUTOMATION_INPUTS_FULL = defineError(
  'AUTOMATION_INPUTS_FULL',
  429,
  'The inputs of automation runs take all the space that the tenant has for them. Try again once waiting runs have ended.',
);
