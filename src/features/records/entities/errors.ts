import { defineError } from '../../../errors/app-error.ts';

/** An entity name is already used in the tenant. */
export const DUPLICATE_ENTITY = defineError('DUPLICATE_ENTITY', 409, 'Another entity has this name.');
/** Other entities still refer to this one. */
export const ENTITY_IN_USE = defineError('ENTITY_IN_USE', 409, 'Other entities refer to this one.');
/** The table could not be locked for a change. */
export const ENTITY_BUSY = defineError(
  'ENTITY_BUSY',
  409,
  'The records are in constant use, or definitions are being changed or backed up. Nothing was changed; retry.',
);
/** A change would delete values that the request does not list in `drop`. */
export const WOULD_LOSE_DATA = defineError(
  'WOULD_LOSE_DATA',
  409,
  'This would delete stored values. List their fields in `drop`, or delete with `?drop=true`.',
);
