import { defineError } from '../../errors/app-error.ts';

/** The area's code of a malformed request. */
export const INVALID_AUTOMATION = defineError('INVALID_AUTOMATION', 400, 'The automation is not valid.');
/** Keys of automations are unique in a tenant. */
export const DUPLICATE_AUTOMATION = defineError(
  'DUPLICATE_AUTOMATION',
  409,
  'There is an automation with this key.',
);
