import { defineError } from '../../../errors/app-error.ts';

/** Error code of malformed automation requests. */
export const INVALID_AUTOMATION = defineError('INVALID_AUTOMATION', 400, 'The automation is not valid.');
/** Keys of automations are unique in a tenant. */
export const DUPLICATE_AUTOMATION = defineError(
  'DUPLICATE_AUTOMATION',
  409,
  'Another automation has this key.',
);
/** One event has caused too many runs, or too many runs of the tenant are waiting. */
export const TOO_MANY_RUNS = defineError('TOO_MANY_RUNS', 429, 'Too many runs are waiting. Try again later.');
/** Inputs of waiting runs have used up the tenant's quota. */
export const AUTOMATION_INPUTS_FULL = defineError(
  'AUTOMATION_INPUTS_FULL',
  429,
  "The inputs of waiting runs exceed the tenant's quota. Retry when runs have ended.",
);
