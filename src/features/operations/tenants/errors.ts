import { defineError } from '../../../errors/app-error.ts';

/** Codes identify tenants in operator paths and in history. */
export const DUPLICATE_TENANT_CODE = defineError(
  'DUPLICATE_TENANT_CODE',
  409,
  'Another tenant has this code.',
);
