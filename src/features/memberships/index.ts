import type { Feature } from '../feature.ts';
import { DUPLICATE_MEMBERSHIP, LAST_TENANT_ADMIN } from './errors.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';

export { findActiveMember, findMembership } from './queries.ts';
export { membershipResource } from './resource.ts';
export { Email, NewPassword, Password, PersonName, passwordFault } from './schema.ts';
export { addMember } from './service.ts';
export {
  findPerson,
  findPersonById,
  getPasswordHash,
  hasPerson,
  holdsPasswordHash,
  listActiveMemberships,
  listAllMemberships,
  type Person,
  type PreparedUser,
  prepareUser,
  setPasswordHash,
} from './users.ts';

/** Memberships of people in a tenant and their grants in its business units. */
export const memberships: Feature = {
  name: 'memberships',
  reference,
  routes,
  errors: [DUPLICATE_MEMBERSHIP, LAST_TENANT_ADMIN],
};
