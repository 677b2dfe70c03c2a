import { watchClosedTenants } from '../../../tenancy/closed-tenants.ts';
import type { Feature } from '../../feature.ts';
import { removeDeletedTenants } from './deletion.ts';
import { DUPLICATE_TENANT_CODE } from './errors.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';

export { changeTenantByOperator } from './changes.ts';
export { deleteTenant } from './deletion.ts';
export { createFirstTenant, describeFirstCredentials } from './first-tenant.ts';
export { createTenantByOperator } from './service.ts';

/** Tenants: information for a key's tenant, and creation, changes, reset and deletion by an operator. */
export const tenants: Feature = {
  name: 'tenants',
  examples,
  tags: {
    Tenant: 'The tenant of an API key, and the setup of this installation.',
    Operator: 'Administration with the operator token: tenants, domains, outbox.',
  },
  routes,
  jobs: [removeDeletedTenants],
  errors: [DUPLICATE_TENANT_CODE],
  start: watchClosedTenants,
};
