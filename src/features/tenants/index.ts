import type { Feature } from '../feature.ts';
import { DUPLICATE_TENANT_CODE } from './errors.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';

export { createFirstTenant, describeFirstAccess } from './first-tenant.ts';
export { createTenantByOperator } from './service.ts';

/** Tenants: what a key's tenant is, and how an operator makes, lists and resets them. */
export const tenants: Feature = { name: 'tenants', reference, routes, errors: [DUPLICATE_TENANT_CODE] };
