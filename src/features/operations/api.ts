/** The functions, values and types that other areas use. */
export { probeDatabase } from './operations/index.ts';
export {
  changeTenantByOperator,
  createFirstTenant,
  createTenantByOperator,
  deleteTenant,
  describeFirstCredentials,
} from './tenants/index.ts';
