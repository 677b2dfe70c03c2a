import type { Feature } from '../feature.ts';
import { DUPLICATE_TENANT_CODE } from './errors.ts';
import { routes } from './routes.ts';

export { createFirstTenant, describeFirstAccess } from './first-tenant.ts';

/** Tenants: what a key's tenant is, and how an operator makes, lists and resets them. */
export const tenants: Feature = { name: 'tenants', routes, errors: [DUPLICATE_TENANT_CODE] };
