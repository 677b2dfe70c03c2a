import { defineError } from '../../../errors/app-error.ts';

/** A user has at most one membership in a tenant. */
export const DUPLICATE_MEMBERSHIP = defineError(
  'DUPLICATE_MEMBERSHIP',
  409,
  'This user already has a membership.',
);
/** A tenant needs at least one owner. */
export const LAST_TENANT_ADMIN = defineError(
  'LAST_TENANT_ADMIN',
  409,
  'The last active owner cannot be deactivated, demoted or removed.',
);
