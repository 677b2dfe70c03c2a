/** The functions, values and types that other areas use. */
export { probeDatabase } from './operations/index.ts';
export {
  changeTenantByOperator,
  createFirstTenant,
  createTenantByOperator,
  deleteTenant,
  describeFirstAccess,
} from './tenants/index.ts';
