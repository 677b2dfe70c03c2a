import { defineError } from '../../../errors/app-error.ts';

/** Another tenant has the code, which identifies a tenant in operator paths and in history. */
export const DUPLICATE_TENANT_CODE = defineError(
  'DUPLICATE_TENANT_CODE',
  409,
  'Another tenant has this code.',
);
