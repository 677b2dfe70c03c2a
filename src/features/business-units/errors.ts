import { defineError } from '../../errors/app-error.ts';

/**
 * The Default unit is what everything without an owner belongs to
 * (docs/specification/tenants.md#business-units).
 */
export const DEFAULT_BUSINESS_UNIT = defineError(
  'DEFAULT_BUSINESS_UNIT',
  409,
  'The Default business unit cannot be renamed or archived.',
);
/** Slugs name units in request bodies, so one must not stand for two. */
export const DUPLICATE_SLUG = defineError('DUPLICATE_SLUG', 409, 'Another business unit has this slug.');
