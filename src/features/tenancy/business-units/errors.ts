import { defineError } from '../../../errors/app-error.ts';

/** The Default unit owns everything without another owner (docs/specification/tenants.md#business-units). */
export const DEFAULT_BUSINESS_UNIT = defineError(
  'DEFAULT_BUSINESS_UNIT',
  409,
  'The Default business unit cannot be renamed or archived.',
);
/** Slugs identify units in request bodies, so they must be unique. */
export const DUPLICATE_SLUG = defineError(
  'DUPLICATE_SLUG',
  409,
  'Another business unit has this slug. Choose another one.',
);
